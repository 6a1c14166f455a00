# One image for the API, the worker, the migrations and the operator's commands; and, as the target
# `apps`, one of files: the reference apps behind nginx; and, as the target `backup`, Postgres with
# what backs it up and verifies what is restored.
#
# Node 24 runs TypeScript directly by removing the types, which erasableSyntaxOnly in tsconfig.json
# makes possible. The image therefore runs the sources that were tested, and contains neither
# compiled copies of them nor a compiler. `tsx`, which does the same on Node 20, is a development
# dependency only.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# They contain prebuilt binaries, so no install scripts are needed.
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# Temporal's library brings a binary for each platform, of which this one runs one.
RUN cd node_modules/@temporalio/core-bridge/releases && \
  ls | grep -v "^$(uname -m)-unknown-linux-gnu$" | xargs rm -r
# The library of the reference page is one file, whatever the package depends on.
COPY --from=packages /app/node_modules/@scalar/fastify-api-reference/package.json \
  ./node_modules/@scalar/fastify-api-reference/
COPY --from=packages /app/node_modules/@scalar/fastify-api-reference/dist/js/standalone.js \
  ./node_modules/@scalar/fastify-api-reference/dist/js/
COPY config.ts ./
COPY wiring.ts ./
COPY domain ./domain
COPY db ./db
COPY migrations ./migrations
COPY gateways ./gateways
COPY activities ./activities
COPY workflows ./workflows
COPY api ./api
COPY worker ./worker
COPY ops ./ops
# Workers load the bundled workflows, since they cannot write a bundle to this folder.
RUN node worker/build-bundle.ts
# A process keeps here what it has compiled, so that the next one need not remove types: it takes
# half of the heap. Without a configuration both load their modules, say what is missing and exit.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
RUN ! node api/main.ts && ! node worker/main.ts

FROM packages AS apps-build
COPY tsconfig.json ./
COPY sdk ./sdk
COPY web ./web
RUN node web/build-main.ts

FROM nginx:1.29.4-alpine AS apps
COPY --from=apps-build /app/web/dist /usr/share/loyalty-apps
COPY deploy/apps/nginx.conf /etc/nginx/nginx.conf
COPY deploy/apps/server.conf.template /etc/nginx/templates/server.conf.template
ENV NGINX_ENVSUBST_OUTPUT_DIR=/tmp/apps
# The image's own user: the files belong to root.
USER 101:101
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --retries=3 \
  CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/config.json"]

FROM postgres:18.4-bookworm AS backup
COPY deploy/backup/requirements.txt /opt/
RUN apt-get update && \
  apt-get install -y --no-install-recommends python3-venv python3-psycopg2 && \
  rm -rf /var/lib/apt/lists/* && \
  python3 -m venv --system-site-packages /opt/barman && \
  /opt/barman/bin/pip install --no-cache-dir --no-deps -r /opt/requirements.txt && \
  install -d -o postgres -g postgres -m 700 /scratch
ENV PATH=/opt/barman/bin:$PATH
ENV NODE_ENV=production
COPY --from=build /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=build /app ./
COPY deploy/backup/backup.sh /usr/local/bin/backup
# The image's own user, who owns the server's files.
USER 999:999
ENTRYPOINT ["backup"]
CMD ["run"]

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
# V8 takes half of the container's memory for its heap. Of 512 MiB it would leave 1 MiB to new
# objects, and collecting them so often makes a request cost half as much again. Of this it takes up
# to three times, which is what the smaller container (the API's) has left beside its heap.
ENV NODE_OPTIONS=--max-semi-space-size=32
WORKDIR /app
COPY --from=build /app ./
# The files belong to root: the process can read them but not change them.
USER node
EXPOSE 3000
# Checks only that the process serves, not that Postgres does: a restart would not help there.
# A process of its own, for which a busy machine needs seconds.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`) \
    .then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.ts"]
