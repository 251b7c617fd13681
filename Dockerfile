# Adjoin as it runs in production. docs/production.md says how to use it.
#
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --build-arg BUILT_AT="$(date -u +%Y-%m-%dT%H:%M:%SZ)" --tag adjoin:0.1.0 .
#
# A tag can be moved, a digest cannot. For a release, look it up once and hand it over:
#   docker buildx imagetools inspect node:24.21.0-bookworm-slim
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… …
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# What the service needs to run, and nothing else: no development tools,
# no embedded PostgreSQL (it is optional, production has its own), no `node` from npm (the image has one),
# nothing of the portal (it is built below) or the command line (it runs where people are).
# No package of this list has an install script.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY api/package.json api/
COPY contract/package.json contract/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspace api

FROM ${NODE_IMAGE} AS portal
WORKDIR /app
COPY .npmrc package.json package-lock.json tsconfig.json ./
COPY contract/package.json contract/
COPY portal/package.json portal/
RUN npm ci --ignore-scripts --workspace portal
COPY contract/src contract/src
COPY portal portal
RUN npm run build --workspace portal

FROM ${NODE_IMAGE}
WORKDIR /app
# Nothing is ever installed in a running container.
# `adjoin-admin` is for operators: docker compose run --rm admin doctor
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && ln -s /app/api/src/admin/main.ts /usr/local/bin/adjoin-admin \
  && install -d -o node -g node /backups
COPY --from=dependencies /app/node_modules node_modules
COPY --from=portal /app/portal/dist portal/dist
COPY LICENSE package.json ./
COPY deploy/nightly.sh deploy/
COPY contract/package.json contract/
COPY contract/src contract/src
COPY api/package.json api/
# Without api/src/sandbox, the stand-ins of the ad systems, and without tests: see .dockerignore.
COPY api/src api/src

ARG COMMIT=unknown
ARG BUILT_AT=
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 COMMIT=${COMMIT} BUILT_AT=${BUILT_AT}
LABEL org.opencontainers.image.title="Adjoin" \
  org.opencontainers.image.description="Advertising integrations platform: connect every ad system" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="${COMMIT}" \
  org.opencontainers.image.created="${BUILT_AT}"

# The files belong to root: the process cannot change its own program.
# It writes nothing but its compile cache, below /tmp, if that can be written.
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Is the process alive? Whether it is ready, /health, is the balancer's question: a restart mends no database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Starts api/src/main.ts, and starts it again after a crash.
CMD ["node", "--report-exclude-env", "api/src/supervise.mjs"]
