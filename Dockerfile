# One image for the API, the worker, the migrations and the operator's commands.
#
# Node 24 runs TypeScript by itself: it leaves the types out, which tsconfig.json
# (erasableSyntaxOnly) keeps possible. So what runs is what was written and tested: there is no
# second, compiled copy of it, and no compiler in the image. `tsx`, which does the same for Node 20,
# stays a development dependency.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The packages bring their programs ready-made; none of their install scripts is needed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
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
# Workers start with the workflows bundled, from a folder that they cannot write to.
RUN node worker/build-bundle.ts

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app ./
# The files are root's: the process can read them and change nothing.
USER node
EXPOSE 3000
# That it runs, not whether Postgres does: a restart would not bring that back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.ts"]
