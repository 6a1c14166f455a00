#!/bin/sh
# Starts the object store with one key, which it reads from the secrets.
set -eu

umask 077
cat >/tmp/s3.json <<JSON
{
  "identities": [
    {
      "name": "loyalty",
      "credentials": [
        {
          "accessKey": "$(cat /run/secrets/object_store_key_id)",
          "secretKey": "$(cat /run/secrets/object_store_key)"
        }
      ],
      "actions": ["Read", "Write", "List"]
    }
  ]
}
JSON
exec weed server -dir=/data -ip=objects -ip.bind=0.0.0.0 -s3 -s3.config=/tmp/s3.json
