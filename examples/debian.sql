-- The machine's own Debian package status as evidence.
--
-- Loads what dpkg knows about this machine, registers a tool over it, and
-- leaves everything in the schema debian.  Run with psql from a directory
-- where dpkg-query is on the path, in a database that has answer_eval:
--
--     psql -f examples/debian.sql

\set ON_ERROR_STOP on
\set QUIET on

SET client_min_messages = warning;
DROP SCHEMA IF EXISTS debian CASCADE;
RESET client_min_messages;
CREATE SCHEMA debian;

-- One row per package, dependency and file: thousands of rows of real data.
CREATE TABLE debian.package
(
	package			text,
	version			text NOT NULL,
	architecture	text NOT NULL,
	status			text NOT NULL,
	installed_kb	bigint,
	section			text,
	depends			text,
	PRIMARY KEY (package, architecture)
);
\copy debian.package from program 'dpkg-query --show --showformat=''${Package}\t${Version}\t${Architecture}\t${db:Status-Status}\t${Installed-Size}\t${Section}\t${Depends}\n''' with (null '')

CREATE TABLE debian.dependency AS
	SELECT p.package, p.architecture, trim(d.clause) AS clause,
		substring(trim(d.clause) from '^[a-z0-9][a-z0-9+.-]*') AS needs
	FROM debian.package p, unnest(string_to_array(p.depends, ',')) AS d (clause);
CREATE INDEX ON debian.dependency (needs);

CREATE TABLE debian.file (package text NOT NULL, path text NOT NULL);
\copy debian.file from program 'cd /var/lib/dpkg/info && awk ''{ gsub(/[\\]/, "&&"); f = FILENAME; sub(/(:[a-z0-9]+)?[.]list$/, "", f); print f "\t" $0 }'' *.list'
CREATE INDEX ON debian.file (package);

-- When dpkg last wrote its status: the time at which these rows were true.
CREATE TABLE debian.loaded (status_written timestamptz NOT NULL);
\copy debian.loaded from program 'date -u -r /var/lib/dpkg/status +%Y-%m-%dT%H:%M:%SZ'
ANALYZE debian.package, debian.dependency, debian.file;

-- A tool is a function (jsonb) RETURNS jsonb; NULL means that it has nothing.
-- The upstream version is the leading dotted numbers of Debian's version,
-- without epoch and revision.
CREATE FUNCTION debian.software_version(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	SELECT jsonb_build_object(
		'product', args ->> 'product',
		'observed_at', to_char((SELECT status_written FROM debian.loaded) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		'results', jsonb_agg(jsonb_build_object(
			'version', substring(p.version from '^(?:[0-9]+:)?([0-9]+(?:\.[0-9]+)*)'),
			'package_version', p.version,
			'architecture', p.architecture,
			'section', p.section,
			'installed_kb', p.installed_kb,
			'files', (SELECT count(*) FROM debian.file f WHERE f.package = p.package),
			'needed_by', (SELECT count(DISTINCT d.package) FROM debian.dependency d WHERE d.needs = p.package))
			ORDER BY p.architecture))
	FROM debian.package p
	WHERE p.package = args ->> 'product' AND p.status = 'installed'
	HAVING count(*) > 0;
END;
COMMENT ON FUNCTION debian.software_version(jsonb) IS
'Version of an installed Debian package. Argument: {product}, a package name. Result: {product, observed_at, results: [{version, package_version, architecture, section, installed_kb, files, needed_by}]}. NULL if it is not installed.';

SELECT answer_source_register('dpkg', url => 'file:///var/lib/dpkg/status',
	description => 'The package manager of the machine that loaded examples/debian.sql.') \g /dev/null
SELECT answer_tool_register('software_version', 'debian.software_version(jsonb)',
	required_args => '{product}', freshness => '30 days',
	value_path => 'results.0.version', options => '{"entity_path": "product", "timestamp_path": "observed_at", "source": "dpkg", "category": "software", "description": "Version of a package installed on this machine (the value), its size, section and how many packages need it."}') \g /dev/null

-- Questions about it.  The list of package names is read from a column when the routes are registered.
CREATE VIEW debian.installed AS SELECT DISTINCT package FROM debian.package WHERE status = 'installed';
SELECT answer_route_register('package.version', '(which | what) version of {product:list} is installed',
	'interrogative', 'software_version', '{"product": "{product}"}',
	options => '{"lists": {"product": {"table": "debian.installed", "column": "package"}}, "description": "The version of a package of this machine."}',
	examples => '{Which version of bash is installed?}') \g /dev/null
SELECT answer_route_register('package.version.is', '(is the installed version of {product:list} {version:semver} | the installed version of {product:list} is {version:semver})',
	'declarative', 'software_version', '{"product": "{product}"}', '{"op": "semver_prefix", "value": "{version}"}',
	options => '{"lists": {"product": {"table": "debian.installed", "column": "package"}}, "description": "Whether a package is installed in some version."}',
	examples => '{Is the installed version of bash 5.2?,The installed version of libc6 is 2.36.}') \g /dev/null
SELECT answer_route_register('package.version.at_least', '(is the installed version of {product:list} | the installed version of {product:list} is) at least {version:semver}',
	'declarative', 'software_version', '{"product": "{product}"}', '{"op": "semver_gte", "value": "{version}"}',
	options => '{"lists": {"product": {"table": "debian.installed", "column": "package"}}, "description": "Whether a package is installed in a version that is new enough."}',
	examples => '{Is the installed version of bash at least 4?,The installed version of libc6 is at least 2.30.}') \g /dev/null
SELECT answer_route_register('package.needed', 'how many packages need {product:list}',
	'interrogative', 'software_version', '{"product": "{product}"}', '{"path": "results.0.needed_by"}',
	options => '{"lists": {"product": {"table": "debian.installed", "column": "package"}}, "description": "How many packages depend on one."}',
	examples => '{How many packages need libc6?}') \g /dev/null

SELECT format('%s packages, %s dependencies and %s files loaded; dpkg wrote its status at %s', p, d, f, w)
FROM (SELECT count(*) FROM debian.package) AS a (p), (SELECT count(*) FROM debian.dependency) AS b (d),
	(SELECT count(*) FROM debian.file) AS e (f), (SELECT to_char(status_written AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC') FROM debian.loaded) AS c (w) \g (format=unaligned tuples_only=on)
