#!/usr/bin/env python3
"""ci.py FILE FOLDER: writes what a CI service would run for an example of examples/ci, as three scripts in FOLDER: `prepare`, `judge`,
`keep`. Prints their image. `judge` has the steps called test and gate, `keep` the steps that run whatever their outcome. A checkout
of the sources is a clone of $SOURCES. Refuses what it does not know."""
import os
import shlex
import sys

import yaml

CHECKOUT = 'actions/checkout@v4'
UPLOAD = 'actions/upload-artifact@v4'


def lines_of(variables):
    return [f'export {name}={shlex.quote(str(value))}' for name, value in variables.items()]


def kept(paths):
    return [f'test -s {shlex.quote(path)}' for path in paths]


def github(document):
    # YAML takes the key `on` for a boolean
    known(document, {'name', True, 'permissions', 'jobs'})
    (job,) = document['jobs'].values()
    known(job, {'runs-on', 'container', 'env', 'steps'})
    scripts = {'prepare': [], 'judge': [], 'keep': []}
    for step in job['steps']:
        known(step, {'name', 'run', 'uses', 'with', 'if', 'shell'})
        what = 'keep' if step.get('if') == 'always()' else 'judge' if step.get('name') in ('test', 'gate') else 'prepare'
        given = step.get('with', {})
        if 'run' in step:
            # as documented by the service, a container uses sh -e, or the shell that a step asks for
            shell = {None: ['sh', '-e', '-c'], 'bash': ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c']}[step.get('shell')]
            scripts[what].append(shlex.join(shell + [step['run']]))
        elif step['uses'] == CHECKOUT:
            known(given, {'repository', 'path'})
            scripts[what] += [f'git clone -q "$SOURCES" {shlex.quote(given["path"])}'] if given else []
        elif step['uses'] == UPLOAD:
            known(given, {'name', 'path'})
            scripts[what] += kept(given['path'].split())
        else:
            sys.exit(f'no action {step["uses"]} is known here')
    return job['container'], job['env'] | {'GITHUB_SHA': 'c0ffee'}, scripts


def gitlab(document):
    ((_, job),) = document.items()
    known(job, {'image', 'variables', 'before_script', 'script', 'after_script', 'artifacts'})
    known(job['artifacts'], {'when', 'paths'})
    variables = job['variables'] | {'CI_COMMIT_SHA': 'c0ffee'}
    variables['ANSWER_EVAL_URL'] = os.environ['SOURCES']
    return job['image'], variables, {'prepare': job['before_script'], 'judge': job['script'], 'keep': job['after_script'] + kept(job['artifacts']['paths'])}


def known(mapping, keys):
    strange = set(mapping) - keys
    if strange:
        sys.exit(f'not known here: {", ".join(map(str, strange))}')


def main():
    path, folder = sys.argv[1:]
    with open(path, encoding='utf-8') as file:
        document = yaml.safe_load(file)
    image, variables, scripts = (github if 'jobs' in document else gitlab)(document)
    for name, commands in scripts.items():
        with open(f'{folder}/{name}', 'w', encoding='utf-8') as script:
            script.write('\n'.join(['set -eo pipefail'] + lines_of(variables) + commands) + '\n')
    print(image)


main()
