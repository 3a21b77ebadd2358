-- Time-stamps over receipts (RFC 3161).
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';

-- Recorded once with OpenSSL's `ts` and `cms` commands: a receipt, an authority's certificates, and tokens over that
-- receipt.
--   full: everything that a token can have
--   bare: nothing that it need not have, no certificate, ESSCertID of RFC 2634
--   long: from below an intermediate
--   sha512: another hash
--   soft, more, none: extended key usage not critical, not alone, not there
--   response: full as the authority sent it
--   refused: no token
CREATE TABLE fixed AS
	SELECT '{"issued_at":"2026-02-01T12:00:00Z","receipt_id":"ans_5157009e13f1bd4a","schema":"answer/v1",'
		'"verdict":"supported"}'::jsonb AS receipt;
CREATE TABLE token (name text, token bytea);
INSERT INTO token SELECT name, decode(base64, 'base64') FROM (VALUES
	('full',
		'MIID3gYJKoZIhvcNAQcCoIIDzzCCA8sCAQMxDzANBglghkgBZQMEAgEFADCBrQYLKoZIhvcNAQkQAQSggZ0EgZowgZcCAQEGBCoDBAEwMTANBg'
			'lghkgBZQMEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCASsYDzIwMjYxMTIyMDI1NDU4WjAKAgEBgAIB9IEBZAEB'
			'/wIJANpOKpIJXocloCukKTAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBoIIBvjCCAbowggFfoAMCAQICFDNiUk'
			'2dL1wPOuQAF1+bydCV+0oWMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMCAXDTI2MTEyMjAyNTQ1OFoYDzIwODEwODI1'
			'MDI1NDU4WjAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXx8d7t'
			'OBzUeWKyKOlhwhortan18rLyETalp9Rnyah+XLVR6dSbzHHI/N6/v7J+Oi6hqM/T5JMdd4HITrrpUZX6N4MHYwDAYDVR0TAQH/BAIwADAO'
			'BgNVHQ8BAf8EBAMCB4AwFgYDVR0lAQH/BAwwCgYIKwYBBQUHAwgwHQYDVR0OBBYEFNi/fOghC81iabskuzzyeIE8HTvXMB8GA1UdIwQYMB'
			'aAFIJWXCDyfyQ6ade2iOD+ItGC2BwUMAoGCCqGSM49BAMCA0kAMEYCIQC3eZBKBqZGHIFNn1NOMPXS4txRuDq7u/DDRP753Ou3DgIhAOuO'
			'+a99IUbUe19Uyuoj2h2R/J5zZcEav3QoyZvC5bF9MYIBQTCCAT0CAQEwLjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQQIUM2JSTZ0vXA865A'
			'AXX5vJ0JX7ShYwDQYJYIZIAWUDBAIBBQCggaQwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIw'
			'MjU0NThaMC8GCSqGSIb3DQEJBDEiBCAMBSXHvzSPrnvg/bO4M4xbJATvZTGby0sKK6qlwmI1lTA3BgsqhkiG9w0BCRACLzEoMCYwJDAiBC'
			'ASAvjzUAI/QaJTQ6n0ynbTn33bBmrZOUZYnnunCRoWOzAKBggqhkjOPQQDAgRGMEQCIElcfRrfM0cMtBrg/SJ81nvyfnGQywWvog7GGV0U'
			'BZSRAiAdE56TJ1ocDbifQ4FTSpe4DFYm9aORIbBkPv/s8haQ7w=='),
	('bare',
		'MIIB1gYJKoZIhvcNAQcCoIIBxzCCAcMCAQMxDzANBglghkgBZQMEAgIFADBjBgsqhkiG9w0BCRABBKBUBFIwUAIBAQYEKgMEATAxMA0GCWCGSA'
			'FlAwQCAQUABCDH8UNBmoKMFGh2XeANKi9xw0o3/c499Wx8pssSE/P7ZQIBLBgPMjAyNjExMjIwMjU0NThaMYIBRjCCAUICAQEwLjAWMRQw'
			'EgYDVQQDDAtSZWNvcmRlZCBDQQIUM2JSTZ0vXA865AAXX5vJ0JX7ShYwDQYJYIZIAWUDBAICBQCggagwGgYJKoZIhvcNAQkDMQ0GCyqGSI'
			'b3DQEJEAEEMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIwMjU0NThaMCsGCyqGSIb3DQEJEAIMMRwwGjAYMBYEFDo5Gn+zDNwYAo+/i/DTjaK/'
			'SCGCMD8GCSqGSIb3DQEJBDEyBDC/PNSbr+7xVs6voxor3jSS4XuukQqA8IRuoVrhNqvuahDTeLstl7Pz8HToTBt41nswCgYIKoZIzj0EAw'
			'MERzBFAiBN1XOADYtnxztaqcHoddZua9X6JqUqqt/EQ2nveYCzlAIhAI6I6IhUeUgl0tk1e+zvsW8djHWBZx96lEXu4uQVjd4U'),
	('long',
		'MIIDngYJKoZIhvcNAQcCoIIDjzCCA4sCAQMxDzANBglghkgBZQMEAgIFADBjBgsqhkiG9w0BCRABBKBUBFIwUAIBAQYEKgMEATAxMA0GCWCGSA'
			'FlAwQCAQUABCDH8UNBmoKMFGh2XeANKi9xw0o3/c499Wx8pssSE/P7ZQIBLRgPMjAyNjExMjIwMjU0NThaoIIBujCCAbYwggFboAMCAQIC'
			'FCqxqVl4PI9ar8RXwIEELBtMdagWMAoGCCqGSM49BAMCMCAxHjAcBgNVBAMMFVJlY29yZGVkIEludGVybWVkaWF0ZTAgFw0yNjExMjIwMj'
			'U0NThaGA8yMDgxMDgyNTAyNTQ1OFowGTEXMBUGA1UEAwwOUmVjb3JkZWQgVFNBIDIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT/Z3b+'
			'9ygwGuZNKf/pWvkS5Mu4f1gnS0IjWKQ5K/Db/48HlPUnNYF6AkG/xsnPaBQw8Ah3jfAfkPw35qe1XehBo3gwdjAMBgNVHRMBAf8EAjAAMA'
			'4GA1UdDwEB/wQEAwIHgDAWBgNVHSUBAf8EDDAKBggrBgEFBQcDCDAdBgNVHQ4EFgQUZwC3WGjgsLzCP5Fct3JxwcJLjmgwHwYDVR0jBBgw'
			'FoAUaT22uVxSVkiIk8OdJQiIeJU4QcQwCgYIKoZIzj0EAwIDSQAwRgIhAKIJCuc0eeZSZdN0/zJ39Tk1TQi+dcvwsC5BJ4r4dFWfAiEAsj'
			'n9v123W1SVwy2EEJ0MHacVUJ3YyQSrMeTVGs2tADIxggFQMIIBTAIBATA4MCAxHjAcBgNVBAMMFVJlY29yZGVkIEludGVybWVkaWF0ZQIU'
			'KrGpWXg8j1qvxFfAgQQsG0x1qBYwDQYJYIZIAWUDBAICBQCggagwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwGCSqGSIb3DQEJBT'
			'EPFw0yNjExMjIwMjU0NThaMCsGCyqGSIb3DQEJEAIMMRwwGjAYMBYEFBq+llHuwC0WrGu02C61oVVIcoMNMD8GCSqGSIb3DQEJBDEyBDC5'
			'2RYl7Yd+Mn7p7iaDd15eqlOZ1Wcpw1tmtL7MKcEnJO1baJoUmdpCHkgNWsBgkaYwCgYIKoZIzj0EAwMERzBFAiAPTZ8GikRRjtPxrj5//T'
			'6BiNeG7NHRF03EzKM4FegkOQIhAO+iRlij9e8XTe/zwONmSTLzvjh4KpX+lb2UQNMW4ytZ'),
	('sha512',
		'MIID9QYJKoZIhvcNAQcCoIID5jCCA+ICAQMxDzANBglghkgBZQMEAgEFADCBwgYLKoZIhvcNAQkQAQSggbIEga8wgawCAQEGBCoDBAEwUTANBg'
			'lghkgBZQMEAgMFAARASsFhOm5pxTD9fbKz3+Tzl4c/IFI3LkMd1qp0/Qwbyv0k0J7HGJ/P07lX+zFxJC5d+86CZRLns5+3Xe77CdIwzAIB'
			'LhgPMjAyNjExMjIwMjU0NThaMAoCAQGAAgH0gQFkAQH/oCukKTAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBoI'
			'IBvjCCAbowggFfoAMCAQICFDNiUk2dL1wPOuQAF1+bydCV+0oWMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMCAXDTI2'
			'MTEyMjAyNTQ1OFoYDzIwODEwODI1MDI1NDU4WjAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBMFkwEwYHKoZIzj'
			'0CAQYIKoZIzj0DAQcDQgAEXx8d7tOBzUeWKyKOlhwhortan18rLyETalp9Rnyah+XLVR6dSbzHHI/N6/v7J+Oi6hqM/T5JMdd4HITrrpUZ'
			'X6N4MHYwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwFgYDVR0lAQH/BAwwCgYIKwYBBQUHAwgwHQYDVR0OBBYEFNi/fOghC81iab'
			'skuzzyeIE8HTvXMB8GA1UdIwQYMBaAFIJWXCDyfyQ6ade2iOD+ItGC2BwUMAoGCCqGSM49BAMCA0kAMEYCIQC3eZBKBqZGHIFNn1NOMPXS'
			'4txRuDq7u/DDRP753Ou3DgIhAOuO+a99IUbUe19Uyuoj2h2R/J5zZcEav3QoyZvC5bF9MYIBQzCCAT8CAQEwLjAWMRQwEgYDVQQDDAtSZW'
			'NvcmRlZCBDQQIUM2JSTZ0vXA865AAXX5vJ0JX7ShYwDQYJYIZIAWUDBAIBBQCggaQwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwG'
			'CSqGSIb3DQEJBTEPFw0yNjExMjIwMjU0NThaMC8GCSqGSIb3DQEJBDEiBCC/MgmT5h0FwVJWeXrjugko1NzQ1DiZdEAJPf5gJIrSAzA3Bg'
			'sqhkiG9w0BCRACLzEoMCYwJDAiBCASAvjzUAI/QaJTQ6n0ynbTn33bBmrZOUZYnnunCRoWOzAKBggqhkjOPQQDAgRIMEYCIQDllPSu3Wyv'
			'gwZnQcd+eLMOmIzK2KW2756Ht2AyLFwNEQIhAKi9dx/Zc9E4mVrqOARfaytDSvqFys8Ygd8XKGcwqckD'),
	('soft',
		'MIIDkwYJKoZIhvcNAQcCoIIDhDCCA4ACAQMxDTALBglghkgBZQMEAgEwYwYLKoZIhvcNAQkQAQSgVARSMFACAQEGBCoDBAEwMTANBglghkgBZQ'
			'MEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCAS0YDzIwMjYxMTIyMDI1NDU4WqCCAY4wggGKMIIBMKADAgECAhQl'
			'VZWrmygTqdHeZF5Ag0RZq9+zgzAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQTAgFw0yNjExMjIwMjU0NThaGA8yMDgxMD'
			'gyNTAyNTQ1OFowGTEXMBUGA1UEAwwOUmVjb3JkZWQgVFNBIDMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQZYyasl2nfYqA/W8KuoSs5'
			'xdcY84oTdcShCGjmUM7psZzUgjoDasnalRY/tiVgvVnCbwXp1LwCdSsQ2aGJrG3no1cwVTATBgNVHSUEDDAKBggrBgEFBQcDCDAdBgNVHQ'
			'4EFgQUUw0qTXWEF0XhixXBfk09sqMpzt4wHwYDVR0jBBgwFoAUglZcIPJ/JDpp17aI4P4i0YLYHBQwCgYIKoZIzj0EAwIDSAAwRQIhAKXc'
			'DvuGR6QRxFnrrnlO0veVF+HsdU11s9Fnhf1xfcDYAiBIsMrWi6tCJV2E4TQ0BZItzN8XrNjGSHaIlCKlwXwunDGCAXMwggFvAgEBMC4wFj'
			'EUMBIGA1UEAwwLUmVjb3JkZWQgQ0ECFCVVlaubKBOp0d5kXkCDRFmr37ODMAsGCWCGSAFlAwQCAaCB2DAaBgkqhkiG9w0BCQMxDQYLKoZI'
			'hvcNAQkQAQQwHAYJKoZIhvcNAQkFMQ8XDTI2MTEyMjAyNTQ1OFowLwYJKoZIhvcNAQkEMSIEIMuczRU/lne8Dh6VrwFo6gR9fIPDPp7eKc'
			'q3TzcxChv8MGsGCyqGSIb3DQEJEAIvMVwwWjBYMFYEIKHxR6aqjftSRuaC2d/fGftztVI9LewifjyBAhRL6tQeMDIwGqQYMBYxFDASBgNV'
			'BAMMC1JlY29yZGVkIENBAhQlVZWrmygTqdHeZF5Ag0RZq9+zgzAKBggqhkjOPQQDAgRGMEQCIBlK9EmekQzJpMm6x6Ylhaqf7besP1pd5L'
			'1wc14pTKtMAiA/kTwMAJ5f+k6QsLFgEkN3m3kJjnni1aJk6CWpFrwelg=='),
	('more',
		'MIIDoAYJKoZIhvcNAQcCoIIDkTCCA40CAQMxDTALBglghkgBZQMEAgEwYwYLKoZIhvcNAQkQAQSgVARSMFACAQEGBCoDBAEwMTANBglghkgBZQ'
			'MEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCAS0YDzIwMjYxMTIyMDI1NDU4WqCCAZswggGXMIIBPaADAgECAhQl'
			'wx9HeGiUQW7u7jbJZx0I1sWADzAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQTAgFw0yNjExMjIwMjU0NThaGA8yMDgxMD'
			'gyNTAyNTQ1OFowGTEXMBUGA1UEAwwOUmVjb3JkZWQgVFNBIDQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATxBc7tCYBzIfnBenuo6imt'
			'qj74j9uinmCtoRJey/KbUoAdmKXpQsMiVbbIbBphWbKapUL6jPKYxcUybstlZb0Xo2QwYjAgBgNVHSUBAf8EFjAUBggrBgEFBQcDCAYIKw'
			'YBBQUHAwMwHQYDVR0OBBYEFIO/1ZP1UHkt7VXaPuBxbYzQ4/iXMB8GA1UdIwQYMBaAFIJWXCDyfyQ6ade2iOD+ItGC2BwUMAoGCCqGSM49'
			'BAMCA0gAMEUCIQDwKYK8hPCGrPYQW0hJkiaa115gtvlfP2Etrtv0NHDa9gIgVUkz7VIrh6aZjrFifrWmzlQ3M+e35l5CLbeBl+CCy0Uxgg'
			'FzMIIBbwIBATAuMBYxFDASBgNVBAMMC1JlY29yZGVkIENBAhQlwx9HeGiUQW7u7jbJZx0I1sWADzALBglghkgBZQMEAgGggdgwGgYJKoZI'
			'hvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIwMjU0NThaMC8GCSqGSIb3DQEJBDEiBCDLnM0VP5Z3vA4ela'
			'8BaOoEfXyDwz6e3inKt083MQob/DBrBgsqhkiG9w0BCRACLzFcMFowWDBWBCCBq1nLGKhPI62pZcRTxdUHqprwr4bVJzp66vb+1mDz2zAy'
			'MBqkGDAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQQIUJcMfR3holEFu7u42yWcdCNbFgA8wCgYIKoZIzj0EAwIERjBEAiBFTqmqZg038vBNUC'
			'qdhDjlj0YdE3nOBU3XfHKBQvj8wwIgfvON949hIFx5vB13L7fXm4uswSLXgAocY7BFQynpLLA='),
	('none',
		'MIIDjQYJKoZIhvcNAQcCoIIDfjCCA3oCAQMxDTALBglghkgBZQMEAgEwYwYLKoZIhvcNAQkQAQSgVARSMFACAQEGBCoDBAEwMTANBglghkgBZQ'
			'MEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCAS0YDzIwMjYxMTIyMDI1NDU4WqCCAYYwggGCMIIBKaADAgECAhQk'
			'1SDvgWTtGct8C66IHyIyxpkodTAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQTAgFw0yNjExMjIwMjU0NThaGA8yMDgxMD'
			'gyNTAyNTQ1OFowGTEXMBUGA1UEAwwOUmVjb3JkZWQgVFNBIDUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAToXET1bqGkdiKSQqP08Zhf'
			'mofrfzkMArFG9d1mOG0E2nQdjNUENm0f+QU+oSaiJGcNLV93TxWwcKgqfIbjg7f2o1AwTjAMBgNVHRMBAf8EAjAAMB0GA1UdDgQWBBQV9A'
			'ZJ6QzJboZe7AMKQIfaO1RbVDAfBgNVHSMEGDAWgBSCVlwg8n8kOmnXtojg/iLRgtgcFDAKBggqhkjOPQQDAgNHADBEAiABM2pp+mm7vjr6'
			'7EN88si0RuPGKPTKtWYNFo+w6bWeZwIgWbPIeDZXBYhq9nnT8ieWNRFjhIYmweJZPTSXr5Zm8n8xggF1MIIBcQIBATAuMBYxFDASBgNVBA'
			'MMC1JlY29yZGVkIENBAhQk1SDvgWTtGct8C66IHyIyxpkodTALBglghkgBZQMEAgGggdgwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEE'
			'MBwGCSqGSIb3DQEJBTEPFw0yNjExMjIwMjU0NThaMC8GCSqGSIb3DQEJBDEiBCDLnM0VP5Z3vA4ela8BaOoEfXyDwz6e3inKt083MQob/D'
			'BrBgsqhkiG9w0BCRACLzFcMFowWDBWBCAKfjDh2kHVx7FBhvSv9uyB2Oev2RGGaqlbRJ07HL0OmDAyMBqkGDAWMRQwEgYDVQQDDAtSZWNv'
			'cmRlZCBDQQIUJNUg74Fk7RnLfAuuiB8iMsaZKHUwCgYIKoZIzj0EAwIESDBGAiEApQYzKNYB6L3luIaRnDlqccW9WBszuo4B4EkW/EQzIh'
			'cCIQCwVMnHaCETg3PQvBAIhSvOxXxf8e2n7JY72gzh1qPU8g=='),
	('response',
		'MIID5zADAgEAMIID3gYJKoZIhvcNAQcCoIIDzzCCA8sCAQMxDzANBglghkgBZQMEAgEFADCBrQYLKoZIhvcNAQkQAQSggZ0EgZowgZcCAQEGBC'
			'oDBAEwMTANBglghkgBZQMEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCASsYDzIwMjYxMTIyMDI1NDU4WjAKAgEB'
			'gAIB9IEBZAEB/wIJANpOKpIJXocloCukKTAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBoIIBvjCCAbowggFfoA'
			'MCAQICFDNiUk2dL1wPOuQAF1+bydCV+0oWMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMCAXDTI2MTEyMjAyNTQ1OFoY'
			'DzIwODEwODI1MDI1NDU4WjAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQ'
			'cDQgAEXx8d7tOBzUeWKyKOlhwhortan18rLyETalp9Rnyah+XLVR6dSbzHHI/N6/v7J+Oi6hqM/T5JMdd4HITrrpUZX6N4MHYwDAYDVR0T'
			'AQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwFgYDVR0lAQH/BAwwCgYIKwYBBQUHAwgwHQYDVR0OBBYEFNi/fOghC81iabskuzzyeIE8HTvXMB'
			'8GA1UdIwQYMBaAFIJWXCDyfyQ6ade2iOD+ItGC2BwUMAoGCCqGSM49BAMCA0kAMEYCIQC3eZBKBqZGHIFNn1NOMPXS4txRuDq7u/DDRP75'
			'3Ou3DgIhAOuO+a99IUbUe19Uyuoj2h2R/J5zZcEav3QoyZvC5bF9MYIBQTCCAT0CAQEwLjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQQIUM2'
			'JSTZ0vXA865AAXX5vJ0JX7ShYwDQYJYIZIAWUDBAIBBQCggaQwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwGCSqGSIb3DQEJBTEP'
			'Fw0yNjExMjIwMjU0NThaMC8GCSqGSIb3DQEJBDEiBCAMBSXHvzSPrnvg/bO4M4xbJATvZTGby0sKK6qlwmI1lTA3BgsqhkiG9w0BCRACLz'
			'EoMCYwJDAiBCASAvjzUAI/QaJTQ6n0ynbTn33bBmrZOUZYnnunCRoWOzAKBggqhkjOPQQDAgRGMEQCIElcfRrfM0cMtBrg/SJ81nvyfnGQ'
			'ywWvog7GGV0UBZSRAiAdE56TJ1ocDbifQ4FTSpe4DFYm9aORIbBkPv/s8haQ7w=='),
	('refused', 'MDAwLgIBAjAkDCJSZXF1ZXN0ZWQgcG9saWN5IGlzIG5vdCBzdXBwb3J0ZWQuAwMAAAE=')) AS v (name, base64);
CREATE TABLE pem (name text, pem text);
INSERT INTO pem VALUES
	('ca', '-----BEGIN CERTIFICATE-----
MIIBcTCCARigAwIBAgIUNoHbIkyxgNC/HoiXJpkADDit32gwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEunfks8dHkaKIKZKwfcsiTCVomyt0N9xWuhaZ81WAj1dXKOVW
kSN6uUN8iO3Po7xRwSVwCFsrbnsuEgvU0HFDSqNCMEAwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFIJWXCDyfyQ6ade2iOD+ItGC2BwU
MAoGCCqGSM49BAMCA0cAMEQCIA5G33DMbE8G/fV0SyjYjlECXZAEzVbFL+VfZF5C
JkQzAiBCD9Br3q9PKSGXcMVo2+AlBJEkDHKce9iAXQySZFewfw==
-----END CERTIFICATE-----'),
	('other', '-----BEGIN CERTIFICATE-----
MIIBczCCARigAwIBAgIUAWh0yb9rr2YPxY+s/hbiCcAcQnUwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEhxOw3PjjMNiaoVpNBkXV6G/KvFLUpRAcQppARkcaO/K6Ptdh
m0hKrfuhNHIi8g39yc5+fsIjxv19FTgkBIvLuaNCMEAwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFPgA5bbRxnehCpQ9ORrQ7/XE4WD3
MAoGCCqGSM49BAMCA0kAMEYCIQC4CpXEKJsZXM02QoRubFqRHS4x6nvgCN5AyG0v
En05iAIhALKyUEqV6qXBa7YKZ0dRQnp3YTINJDtgrHDi+gnsy5yX
-----END CERTIFICATE-----'),
	('mid', '-----BEGIN CERTIFICATE-----
MIIBnDCCAUOgAwIBAgIUByhFUNit/owW/4/282XnNp5dE8MwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMCAxHjAcBgNVBAMMFVJlY29yZGVkIEludGVybWVkaWF0ZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABEgrCWE28KOl5TUlTqgujbuw88F/vp/uhIOZ
tbgtYCozf/7jlaXVZsNRCKdFuA31G1gRW7O9v2CS+5E+lXAi+ayjYzBhMA8GA1Ud
EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBRpPba5XFJWSIiT
w50lCIh4lThBxDAfBgNVHSMEGDAWgBSCVlwg8n8kOmnXtojg/iLRgtgcFDAKBggq
hkjOPQQDAgNHADBEAiBnLjvFp3eKJX/LHkVPmA7izRVRergmitbjc+yuD8wc5wIg
IhhaE1gpS5lfgIc6qyjZetkdD2F3YFK3p5+Qizknv58=
-----END CERTIFICATE-----'),
	('tsa', '-----BEGIN CERTIFICATE-----
MIIBujCCAV+gAwIBAgIUM2JSTZ0vXA865AAXX5vJ0JX7ShYwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMCcxDjAMBgNVBAoMBUNhZsOpMRUwEwYDVQQDDAxSZWNvcmRlZCBU
U0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARfHx3u04HNR5YrIo6WHCGiu1qf
XysvIRNqWn1GfJqH5ctVHp1JvMccj83r+/sn46LqGoz9Pkkx13gchOuulRlfo3gw
djAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAWBgNVHSUBAf8EDDAKBggr
BgEFBQcDCDAdBgNVHQ4EFgQU2L986CELzWJpuyS7PPJ4gTwdO9cwHwYDVR0jBBgw
FoAUglZcIPJ/JDpp17aI4P4i0YLYHBQwCgYIKoZIzj0EAwIDSQAwRgIhALd5kEoG
pkYcgU2fU04w9dLi3FG4Oru78MNE/vnc67cOAiEA6475r30hRtR7X1TK6iPaHZH8
nnNlwRq/dCjJm8LlsX0=
-----END CERTIFICATE-----'),
	('tsa2', '-----BEGIN CERTIFICATE-----
MIIBtjCCAVugAwIBAgIUKrGpWXg8j1qvxFfAgQQsG0x1qBYwCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVUmVjb3JkZWQgSW50ZXJtZWRpYXRlMCAXDTI2MTEyMjAyNTQ1
OFoYDzIwODEwODI1MDI1NDU4WjAZMRcwFQYDVQQDDA5SZWNvcmRlZCBUU0EgMjBZ
MBMGByqGSM49AgEGCCqGSM49AwEHA0IABP9ndv73KDAa5k0p/+la+RLky7h/WCdL
QiNYpDkr8Nv/jweU9Sc1gXoCQb/Gyc9oFDDwCHeN8B+Q/Dfmp7Vd6EGjeDB2MAwG
A1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBYGA1UdJQEB/wQMMAoGCCsGAQUF
BwMIMB0GA1UdDgQWBBRnALdYaOCwvMI/kVy3cnHBwkuOaDAfBgNVHSMEGDAWgBRp
Pba5XFJWSIiTw50lCIh4lThBxDAKBggqhkjOPQQDAgNJADBGAiEAogkK5zR55lJl
03T/Mnf1OTVNCL51y/CwLkEnivh0VZ8CIQCyOf2/XbdbVJXDLYQQnQwdpxVQndjJ
BKsx5NUaza0AMg==
-----END CERTIFICATE-----');
CREATE FUNCTION roots(VARIADIC names text[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(pem, E'\n' ORDER BY name COLLATE "C") FROM pem WHERE name = ANY (names)
$$;
CREATE FUNCTION anchor(t bytea) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer.anchor(t, decode(substr(answer_digest(receipt), 8), 'hex'), '2026-12-01 00:00:00.5Z') FROM fixed
$$;
CREATE FUNCTION anchored(t bytea) RETURNS jsonb LANGUAGE sql AS $$
	SELECT receipt || jsonb_build_object('anchor', anchor(t)) FROM fixed
$$;
CREATE VIEW good AS SELECT anchored(token) AS r, roots('ca') AS roots FROM token WHERE name = 'full';
-- an outcome, its reason and the steps that do not hold; OpenSSL's own words are left out
CREATE FUNCTION told(v jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('; ',
		(v ->> 'outcome') || CASE WHEN (v -> 'ok')::boolean
				= (v ->> 'outcome' = 'mismatch') THEN ' BUT OK IS ' || (v ->> 'ok') ELSE '' END,
		split_part(v ->> 'reason', ':', 1),
		(SELECT string_agg(key, ' ' ORDER BY key COLLATE "C") FROM jsonb_each(v -> 'steps')
			WHERE value -> 'ok' = 'false'),
		(SELECT 'unchecked ' || string_agg(key, ' ' ORDER BY key COLLATE "C") FROM jsonb_each(v -> 'steps')
			WHERE value -> 'ok' = 'null'))
$$;

-- What a report looks like.
SELECT jsonb_pretty(answer_anchor_verify(r)) FROM good;
SELECT jsonb_pretty(answer_anchor_verify(r, roots, nonce => '0xda4e2a92095e8725', policy => '1.2.3.4.1')) FROM good;
SELECT jsonb_pretty(answer_anchor_verify(anchored(token), roots('ca', 'tsa'))) FROM token WHERE name = 'bare';
SELECT answer_anchor_verify(receipt) AS absent,
	answer_anchor_verify(receipt, roots('ca'), '2030-01-01', '1', '1.2.3') AS absent_too
FROM fixed;
SELECT answer_verify(receipt, '{}') #> '{steps,anchor}' AS absent,
	answer_verify(r, '{}') #> '{steps,anchor}' AS declared,
	answer_verify(jsonb_set(r, '{verdict}', '"contradicted"'), '{}') #> '{steps,anchor}' AS mismatch
FROM fixed, good;
-- in whatever type and layout
SELECT answer_anchor_verify(r::json::text, roots) = answer_anchor_verify(r, roots) AS json,
	answer_anchor_verify(r::text, roots) = answer_anchor_verify(r, roots) AS text,
	answer_anchor_verify(jsonb_pretty(r), roots) = answer_anchor_verify(r, roots) AS pretty,
	answer_anchor_verify(answer_canonical(r), roots) = answer_anchor_verify(r, roots) AS canonical
FROM good;

-- Every token, without roots, with the authority's, with all that there is, and with a namesake of the authority.
SELECT name, told(answer_anchor_verify(anchored(token))) AS without_roots FROM token ORDER BY name COLLATE "C";
SELECT name, told(answer_anchor_verify(anchored(token), roots('ca'))) AS with_the_root
FROM token ORDER BY name COLLATE "C";
SELECT name, told(answer_anchor_verify(anchored(token), roots('ca', 'mid', 'other', 'tsa', 'tsa2'))) AS with_all
FROM token ORDER BY name COLLATE "C";
SELECT name, told(answer_anchor_verify(anchored(token), roots('mid', 'other', 'tsa', 'tsa2'))) AS with_a_namesake
FROM token ORDER BY name COLLATE "C";

-- Terms.
SELECT n AS nonce, answer_anchor_verify(r, nonce => n) ->> 'outcome' AS outcome,
	answer_anchor_verify(r, nonce => n) #>> '{steps,nonce,state}' AS state
FROM good,
	unnest(ARRAY['0xda4e2a92095e8725', '15730557355162502949', '0x00' || upper(substr('0xda4e2a92095e8725', 3)),
		'0' || '15730557355162502949', '-0xda4e2a92095e8725', '-15730557355162502949', '0', '-0', '0x0', '1',
		NULL]) WITH ORDINALITY AS x (n, i)
ORDER BY i;
SELECT told(answer_anchor_verify(anchored(token), nonce => '1')) AS no_nonce,
	answer_anchor_verify(anchored(token), nonce => '1') #> '{steps,nonce}' AS step
FROM token WHERE name = 'bare';
SELECT p AS policy, answer_anchor_verify(r, policy => p) ->> 'outcome' AS outcome,
	answer_anchor_verify(r, policy => p) #>> '{steps,policy,state}' AS state
FROM good,
	unnest(ARRAY['1.2.3.4.1', '1.2.3.4', '1.2.3.4.1.0', '1.2.3.4.10', '2.999.99999999999999999999999999',
		NULL]) WITH ORDINALITY AS x (p, i)
ORDER BY i;
SELECT n AS nonce, state_of(format('SELECT answer_anchor_verify(''{}''::text, nonce => %L)', n))
FROM unnest(ARRAY['', ' 1', '1 ', '+1', '--1', '-', '0x', '0X1', '0xg', '1.0', '1e5', 'x', '１',
	E'1\n']) WITH ORDINALITY AS x (n, i)
ORDER BY i;
SELECT state_of(format('SELECT answer_anchor_verify(''{}''::text, nonce => %L)', n)) AS longest,
	state_of(format('SELECT answer_anchor_verify(''{}''::text, nonce => %L)', n || 'f')) AS longer
FROM (SELECT '0x' || repeat('f', 128) AS n) AS x;
SELECT left(p, 10) AS policy, state_of(format('SELECT answer_anchor_verify(''{}''::text, policy => %L)', p))
FROM unnest(ARRAY['', '1', '1.', '.1.2', '1..2', '01.2', '1.02', '3.1', '1.40', '1.2.x', 'sha256', '-1.2', ' 1.2',
	'1.2 ', '1.2.' || repeat('9', 246), '1.2.' || repeat('9', 247)]) WITH ORDINALITY AS x (p, i)
ORDER BY i;
-- the instant at which the chain must be valid
SELECT a, told(answer_anchor_verify(r, roots, a)), answer_anchor_verify(r, roots, a) #> '{steps,chain,at}' AS at
FROM good,
	unnest(ARRAY['2027-01-01 00:00:00.000001Z', '2080-01-01Z', '2082-01-01Z', '2026-01-01Z', '0001-01-01Z',
		'9999-12-31 23:59:59.999999Z', '4713-01-01Z BC', '294276-12-31Z', 'infinity', '-infinity',
		NULL]::timestamptz[]) WITH ORDINALITY AS x (a, i)
ORDER BY i;
SELECT told(answer_anchor_verify(r, NULL, '2082-01-01Z')) AS no_chain_without_roots FROM good;

-- The anchor's own members, and the receipt's.
SELECT what, told(answer_anchor_verify(changed, roots)) AS told,
	answer_verify(changed, '{}') #>> '{steps,anchor,state}' AS state
FROM good, LATERAL (VALUES ('as it is', r),
	('imprint of another', jsonb_set(r, '{anchor,imprint}', to_jsonb(repeat('0', 64)))),
	('imprint in capitals', jsonb_set(r, '{anchor,imprint}', to_jsonb(upper(r #>> '{anchor,imprint}')))),
	('imprint with a prefix', jsonb_set(r, '{anchor,imprint}', to_jsonb('sha256:' || (r #>> '{anchor,imprint}')))),
	('imprint null', jsonb_set(r, '{anchor,imprint}', 'null')), ('no imprint', r #- '{anchor,imprint}'),
	('hash_alg', jsonb_set(r, '{anchor,hash_alg}', '"sha512"')),
	('hash_alg in capitals', jsonb_set(r, '{anchor,hash_alg}', '"SHA256"')), ('no hash_alg', r #- '{anchor,hash_alg}'),
	('attached_at', jsonb_set(r, '{anchor,attached_at}', '"2020-01-01T00:00:00Z"')),
	('attached_at no instant', jsonb_set(r, '{anchor,attached_at}', '"yesterday"')),
	('attached_at number', jsonb_set(r, '{anchor,attached_at}', '1')), ('no attached_at', r #- '{anchor,attached_at}'),
	('extra member', jsonb_set(r, '{anchor,note}', '"x"')), ('token null', jsonb_set(r, '{anchor,token}', 'null')),
	('no token', r #- '{anchor,token}'), ('empty token', jsonb_set(r, '{anchor,token}', '""')),
	('token with a newline', jsonb_set(r, '{anchor,token}', to_jsonb((r #>> '{anchor,token}') || E'\n'))),
	('token without padding',
		jsonb_set(r, '{anchor,token}',
			to_jsonb(rtrim(encode(substr(decode(r #>> '{anchor,token}', 'base64'), 1, 4), 'base64'), '=')))),
	('token in base64url', jsonb_set(r, '{anchor,token}', to_jsonb(translate(r #>> '{anchor,token}', '+/', '-_')))),
	('token not ASCII', jsonb_set(r, '{anchor,token}', '"ééé"')),
	('anchor null', jsonb_set(r, '{anchor}', 'null')), ('anchor text', jsonb_set(r, '{anchor}', '"x"')),
	('anchor array', jsonb_set(r, '{anchor}', '[]')), ('anchor empty', jsonb_set(r, '{anchor}', '{}')),
	('receipt changed', jsonb_set(r, '{verdict}', '"contradicted"')),
	('receipt changed and imprint mended',
		jsonb_set(jsonb_set(r, '{verdict}', '"contradicted"'), '{anchor,imprint}',
			to_jsonb(substr(answer_digest(jsonb_set(r - 'anchor', '{verdict}', '"contradicted"')), 8)))),
	('receipt with more', jsonb_set(r, '{more}', '1')), ('receipt with less', r - 'issued_at')) AS v (what, changed);
-- a duplicate member: nobody could say which one counts
SELECT told(answer_anchor_verify(replace(r::text, '"hash_alg":', '"hash_alg": "md5", "hash_alg":'),
		roots)) AS true_last,
	told(answer_anchor_verify(replace(r::text, '"hash_alg": "sha256"', '"hash_alg": "sha256", "hash_alg": "md5"'),
		roots)) AS false_last
FROM good;
-- a tombstone stands for the receipt that it keeps the digest of
SELECT what,
	told(answer_anchor_verify(jsonb_build_object('schema', schema, 'digest', digest, 'anchor', r -> 'anchor'), roots)),
	answer_anchor_verify(jsonb_build_object('schema', schema, 'digest', digest, 'anchor', r -> 'anchor'), roots)
		#> '{steps,imprint}' AS imprint
FROM good, fixed, LATERAL (VALUES ('tombstone', 'answer/tombstone/v1', to_jsonb(answer_digest(receipt))),
	('another digest', 'answer/tombstone/v1', to_jsonb(answer_digest('1'))),
	('in capitals', 'answer/tombstone/v1', to_jsonb('sha256:' || upper(substr(answer_digest(receipt), 8)))),
	('cut', 'answer/tombstone/v1', to_jsonb(left(answer_digest(receipt), 70))),
	('no digest', 'answer/tombstone/v1', 'null'),
	('another schema', 'answer/v2', to_jsonb(answer_digest(receipt)))) AS v (what, schema, digest);

-- Tokens cut, lengthened and changed: never verified, never an error.
SELECT count(*) AS cuts,
	string_agg(DISTINCT told(answer_anchor_verify(anchored(substr(token, 1, n)), roots('ca'))), ' | ') AS told
FROM token, generate_series(0, length(token) - 1, 7) AS n WHERE name = 'full';
SELECT count(*) AS bytes,
	count(*) FILTER (WHERE answer_anchor_verify(anchored(set_byte(token, n, get_byte(token, n) # 1)),
			roots('ca')) ->> 'outcome' <> 'mismatch') AS not_noticed
FROM token, generate_series(0, length(token) - 1, 5) AS n WHERE name = 'full';
SELECT count(*) AS bytes,
	count(*) FILTER (WHERE answer_anchor_verify(anchored(set_byte(token, n, get_byte(token, n) # 32)),
			roots('ca')) ->> 'outcome' <> 'mismatch') AS not_noticed
FROM token, generate_series(0, length(token) - 1) AS n WHERE name = 'full';
SELECT what, told(answer_anchor_verify(anchored(t), roots('ca')))
FROM token, LATERAL (VALUES ('a byte behind', token || '\x00'), ('itself behind', token || token), ('nothing', '\x'),
	('zeros', decode(repeat('00', 100), 'hex')), ('empty sequence', '\x3000'), ('no length', '\x3080'),
	('length of 2^63', '\x30887fffffffffffffff'), ('nested sequences', decode(repeat('3080', 5000), 'hex')),
	('signed without content', '\x300b06092a864886f70d010702'), ('data', '\x300b06092a864886f70d010701'),
	('largest', token || decode(repeat('00', 65536 - length(token)), 'hex'))) AS v (what, t) WHERE name = 'full';
SELECT told(answer_anchor_verify(jsonb_set(r, '{anchor,token}', to_jsonb(repeat('AAAA', 21846))))) AS too_large,
	told(answer_anchor_verify(jsonb_set(r, '{anchor,token}', to_jsonb(repeat('A', 10000000))))) AS megabytes
FROM good;

-- Roots.
SELECT what, told(answer_anchor_verify(r, p))
FROM good, roots('ca') AS ca, roots('other') AS other, roots('mid') AS mid, roots('tsa') AS tsa,
	LATERAL (VALUES ('the root', ca), ('twice', ca || E'\n' || ca), ('another first', other || E'\n' || ca),
	('text around it', E'Issuer: us\n' || ca || E'\nthe end'), ('with carriage returns', replace(ca, E'\n', E'\r\n')),
	('old name', replace(ca, 'BEGIN CERT', 'BEGIN X509 CERT')),
	('old name at both ends', replace(ca, 'CERTIFICATE', 'X509 CERTIFICATE')),
	('nothing', ''), ('text', 'no certificate'), ('another', other), ('no root', mid), ('the certificate itself', tsa),
	('begin only', '-----BEGIN CERTIFICATE-----'),
	('empty block', E'-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'), ('cut', left(ca, 300)),
	('a letter changed', overlay(ca placing 'A' from 300)), ('garbage in base64', replace(ca, 'M', '*')),
	('other block',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n'
			'-----END PUBLIC KEY-----\n' || ca),
	('other block behind', ca || E'\n-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----'),
	('trusted', replace(ca, 'CERTIFICATE', 'TRUSTED CERTIFICATE')),
	('encrypted',
		replace(ca, E'BEGIN CERTIFICATE-----\n',
			E'BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n')),
	('not PEM', E'-----BEGIN\n' || ca), ('rubbish in front', 'x' || ca), ('a megabyte', repeat(' ', 1048577)),
	('a line of a megabyte', repeat('x', 1000000) || E'\n' || ca),
	('two hundred', repeat(other || E'\n', 200) || ca)) AS v (what, p);

-- What is no receipt.
SELECT d, told(answer_anchor_verify(d)) AS text
FROM unnest(ARRAY['', '{', '[]', 'null', '1', '"x"', '{}', '{"anchor": {}}', '{"anchor": 1',
	NULL]) WITH ORDINALITY AS x (d, i)
ORDER BY i;
SELECT d, told(answer_anchor_verify(d)) AS jsonb
FROM unnest(ARRAY['[]', 'null', '1', '{}', '{"anchor": {}}', NULL]::jsonb[]) WITH ORDINALITY AS x (d, i) ORDER BY i;
SET max_stack_depth = '2MB';
SELECT told(answer_anchor_verify('{"a":' || repeat('[', 5000) || repeat(']', 5000) || ', "anchor": 1}')) AS deep,
	told(answer_anchor_verify(repeat('[', 1000000))) AS deeper;
RESET max_stack_depth;

-- The members of answer.anchor as a receipt carries them.
SELECT answer.anchor('\x0102', sha256(''), '2026-01-01 00:00Z') AS anchor,
	answer.anchor(NULL, sha256(''), now()) IS NULL AS null_token;
SELECT state_of($$SELECT answer.anchor('\x', '\x00', now())$$) AS imprint,
	state_of($$SELECT answer.anchor('\x', sha256(''), 'infinity')$$) AS instant,
	state_of($$SELECT answer.anchor(decode(repeat('00', 65537), 'hex'), sha256(''), now())$$) AS too_large;

-- Requests: an object that RFC 3161 describes, 64 random bits in it.
BEGIN;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, body)
	SELECT receipt ->> 'receipt_id', receipt ->> 'schema', (receipt ->> 'issued_at')::timestamptz, 'supported', 1,
		false, 'none', receipt
	FROM fixed;
CREATE TEMP TABLE request AS
	SELECT answer_anchor_request('ans_5157009e13f1bd4a') AS plain,
		answer_anchor_request('ans_5157009e13f1bd4a', '1.2.3.4.1') AS with_policy;
SELECT regexp_replace(encode(plain, 'hex'),
		'^30(..)(020101)(3031300d060960864801650304020105000420)([0-9a-f]{64})02(..)[0-9a-f]*(0101ff)$',
		'\2 \3 \6') AS request, substr(encode(plain, 'hex'), 49, 64) = substr(answer_digest(receipt), 8) AS imprint,
	get_byte(plain, 1) = length(plain) - 2 AS length, encode(with_policy, 'hex') LIKE '%06042a03040102%' AS policy
FROM request, fixed;
SELECT count(*), count(DISTINCT nonce) AS nonces, bool_and(nonce ~ '^0x[0-9a-f]{2,16}$') AS form,
	array_agg(policy ORDER BY policy) AS policies, bool_and(requested_at >= now()) AS now
FROM answer.anchor_request;
SELECT bool_and(position(decode(substr(a.nonce, 3), 'hex')
		IN CASE WHEN a.policy IS NULL THEN plain ELSE with_policy END) > 0) AS nonces_are_those_of_the_requests
FROM request, answer.anchor_request AS a;
SELECT count(DISTINCT answer_anchor_request('ans_5157009e13f1bd4a')) AS different FROM generate_series(1, 100);
SELECT call, state_of('SELECT ' || call)
FROM unnest(ARRAY['answer_anchor_request(''ans_none'')', 'answer_anchor_request(NULL)',
	'answer_anchor_request(''ans_5157009e13f1bd4a'', ''x'')', 'answer_anchor_request(''ans_5157009e13f1bd4a'', '''')',
	'answer_anchor_attach(NULL, ''\x'')', 'answer_anchor_attach(''ans_5157009e13f1bd4a'', NULL)',
	'answer_anchor_attach(''ans_none'', (SELECT token FROM token WHERE name = '
		'''full''))']) WITH ORDINALITY AS x (call, i)
ORDER BY i;
ROLLBACK;

-- Attaching.
CREATE FUNCTION attach(t bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	anchor jsonb;
	detail text;
BEGIN
	anchor := answer_anchor_attach('ans_5157009e13f1bd4a', t);
	RETURN CASE WHEN answer_receipt('ans_5157009e13f1bd4a') -> 'anchor' = anchor THEN 'attached'
		ELSE 'attached, but not shown' END;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(': ', sqlstate, sqlerrm, nullif(detail, ''));
END
$$;
BEGIN;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, body)
	SELECT receipt ->> 'receipt_id', receipt ->> 'schema', (receipt ->> 'issued_at')::timestamptz, 'supported', 1,
		false, 'none', receipt
	FROM fixed;
SELECT answer_receipt('ans_5157009e13f1bd4a') = receipt AS no_anchor FROM fixed;
-- nothing was requested: a token without a nonce is taken
SELECT name, attach(token) FROM token ORDER BY name COLLATE "C";
SELECT attach(token) AS again, (SELECT count(*) FROM answer.anchor) AS anchors FROM token WHERE name = 'long';
-- something else was requested
SAVEPOINT s;
SELECT answer_anchor_request('ans_5157009e13f1bd4a') IS NOT NULL AS requested;
SELECT name, attach(token) FROM token WHERE name IN ('full', 'long', 'response') ORDER BY name COLLATE "C";
-- and this, for another receipt, for another policy, and for this one
INSERT INTO answer.anchor_request VALUES ('ans_other', '0xda4e2a92095e8725', NULL, now());
SELECT attach(token) AS of_another FROM token WHERE name = 'full';
SAVEPOINT t;
INSERT INTO answer.anchor_request VALUES ('ans_5157009e13f1bd4a', '0xda4e2a92095e8725', '1.2.3.4.2', now());
SELECT attach(token) AS other_policy FROM token WHERE name = 'full';
ROLLBACK TO t;
INSERT INTO answer.anchor_request VALUES ('ans_5157009e13f1bd4a', '0xda4e2a92095e8725', '1.2.3.4.1', now());
SELECT name, attach(token) FROM token WHERE name IN ('full', 'response') ORDER BY name COLLATE "C";
-- the newest is shown, and every one is kept; the columns say what is in the token
SELECT a.receipt_id, t.name, a.token_digest ~ '^sha256:[0-9a-f]{64}$' AS digest,
	imprint = decode(substr(answer_digest(receipt), 8), 'hex') AS imprint
FROM answer.anchor a JOIN token t USING (token), fixed ORDER BY a.attached_at;
SELECT told(answer_anchor_verify(answer_receipt('ans_5157009e13f1bd4a'), roots('ca'), nonce => '0xda4e2a92095e8725',
		policy => '1.2.3.4.1')) AS stored, answer_receipt('ans_5157009e13f1bd4a') - 'anchor' = receipt AS receipt
FROM fixed;
INSERT INTO answer.anchor SELECT receipt_id, 'sha256:z', '\x01', imprint, attached_at
FROM answer.anchor ORDER BY attached_at DESC LIMIT 1;
INSERT INTO answer.anchor SELECT receipt_id, 'sha256:!', '\x02', imprint, attached_at
FROM answer.anchor ORDER BY attached_at DESC LIMIT 1;
SELECT answer_receipt('ans_5157009e13f1bd4a') #>> '{anchor,token}' AS of_one_instant_the_least_digest;
-- too much, and what is no token
SELECT attach(decode(repeat('00', 65537), 'hex')) AS too_large, attach(decode(repeat('00', 65536), 'hex')) AS zeros,
	attach('\x') AS nothing, attach('\x3000') AS empty, attach('\x3003020100') AS no_response,
	attach('\x30053003020100') AS granted_without_a_token, attach('\x30053003020102') AS rejected,
	attach('\x30053003020103') AS waiting, attach('\x30053003020109') AS nine, attach('\x3005300302017f00') AS behind;
SELECT count(DISTINCT attach(substr(token, 1, n))) FILTER (WHERE attach(substr(token, 1, n))
	NOT LIKE '22023: %') AS cuts_taken
FROM token, generate_series(0, length(token) - 1, 11) AS n WHERE name = 'response';
SELECT attach(substr(token, 1, 7) || '\x80' || substr(token, 9)) AS changed FROM token WHERE name = 'full';
ROLLBACK;
-- a forgotten receipt keeps its digest and its anchors; its tombstone is shown as it was signed
BEGIN;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, body)
	SELECT receipt ->> 'receipt_id', receipt ->> 'schema', (receipt ->> 'issued_at')::timestamptz, 'supported', 1,
		false, 'none', jsonb_build_object('schema', 'answer/tombstone/v1', 'digest', answer_digest(receipt))
	FROM fixed;
SELECT answer_anchor_attach('ans_5157009e13f1bd4a', token) IS NOT NULL AS attached FROM token WHERE name = 'long';
SELECT answer_receipt('ans_5157009e13f1bd4a') ? 'anchor' AS shown,
	told(answer_anchor_verify(answer_receipt(receipt_id) ||
			jsonb_build_object('anchor', answer.anchor(token, imprint, attached_at)), roots('ca', 'mid'))),
	answer_anchor_request('ans_5157009e13f1bd4a') IS NOT NULL AS requested
FROM answer.anchor;
ROLLBACK;

-- Append-only, and nothing in a read-only transaction.
SELECT state_of('UPDATE answer.anchor SET token = token') AS nothing_there,
	state_of('TRUNCATE answer.anchor') AS truncate, state_of('TRUNCATE answer.anchor_request') AS truncate_requests;
BEGIN;
INSERT INTO answer.anchor VALUES ('ans_x', 'd', '\x', sha256(''), now());
INSERT INTO answer.anchor_request VALUES ('ans_x', '0x1', NULL, now());
SELECT statement, state_of(statement)
FROM unnest(ARRAY['UPDATE answer.anchor SET token = ''\x01''', 'DELETE FROM answer.anchor',
	'UPDATE answer.anchor_request SET nonce = ''0x2''', 'DELETE FROM answer.anchor_request',
	'INSERT INTO answer.anchor VALUES (''ans_y'', ''d'', ''\x'', ''\x00'', now())',
	'INSERT INTO answer.anchor VALUES (''ans_y'', ''d'', ''\x'', sha256(''''), ''infinity'')',
	'INSERT INTO answer.anchor VALUES (''ans_x'', ''d'', ''\x'', sha256(''''), now())',
	'INSERT INTO answer.anchor_request VALUES (''ans_x'', ''0x1'', NULL, now())']) WITH ORDINALITY AS x (statement, i)
ORDER BY i;
ROLLBACK;
BEGIN READ ONLY;
SELECT state_of('SELECT answer_anchor_request(''ans_x'')') AS request,
	state_of('SELECT answer_anchor_attach(''ans_x'', ''\x'')') AS attach,
	(SELECT told(answer_anchor_verify(r, roots)) FROM good) AS verify;
ROLLBACK;

-- Pure: in parallel workers, in a check constraint, in an index.
BEGIN;
CREATE TEMP TABLE held (r jsonb CHECK (coalesce(answer_anchor_verify(r, nonce => '0xda4e2a92095e8725') ->> 'outcome'
		= 'declared', false)));
SELECT state_of('INSERT INTO held SELECT r FROM good') AS good,
	state_of('INSERT INTO held SELECT r - ''anchor'' FROM good') AS without,
	state_of('INSERT INTO held VALUES (NULL)') AS nothing;
CREATE INDEX ON held ((answer_anchor_verify(r) ->> 'gen_time'));
CREATE TABLE many AS SELECT r, roots FROM good, generate_series(1, 200);
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM many WHERE answer_anchor_verify(r, roots) ->> 'outcome' = 'verified';
SELECT count(*) FROM many WHERE answer_anchor_verify(r, roots) ->> 'outcome' = 'verified';
ROLLBACK;
DROP VIEW good;
DROP FUNCTION roots, anchor, anchored, told, attach;
DROP TABLE fixed, token, pem;
