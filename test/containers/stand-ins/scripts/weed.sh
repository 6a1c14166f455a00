#!/bin/sh
# `weed server …` with the key of the file that -s3.config names; `weed shell`, whose one use is to
# make the bucket, which is a folder here and so there already.
set -eu
config=/tmp/s3.json
field() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$config"; }
case $1 in
  server)
    mkdir -p /data/loyalty
    exec versitygw --access="$(field accessKey)" --secret="$(field secretKey)" \
      --port=:8333 --health=/healthz posix --nometa /data
    ;;
  shell) wget -q -O /dev/null http://objects:8333/healthz ;;
esac
