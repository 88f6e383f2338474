# The product in one image, without shell, package manager or npm: docs/operations.md.
# If these two cannot be pulled, `.ci/image-bases` builds them from Debian's packages.
ARG BUILDER=docker.io/library/node:24.21.0-bookworm
ARG BASE=gcr.io/distroless/cc-debian12:latest

FROM ${BUILDER} AS build
WORKDIR /touchline
COPY package.json package-lock.json .npmrc ./
RUN npm ci
# the packages of the server; those of the portal are in dist/licences.md
RUN npm sbom --package-lock-only --sbom-format=cyclonedx --omit=dev > sbom.cdx.json
COPY index.html vite.config.ts ./
COPY public public
COPY locales locales
COPY sw sw
COPY src src
RUN npm run build && npx vite build -c src/tools/gallery.config.ts
# what the server loads, without files that only a compiler, a debugger or the packages' own tests read
RUN npm prune --omit=dev \
 && rm -rf node_modules/node node_modules/.bin \
 && find node_modules -depth -type d \( -name test -o -name tests -o -name benchmarks -o -name examples -o -name docs -o -name .yarn \) -exec rm -rf {} + \
 && find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name 'cdn*.js' -o -iname 'readme*' -o -iname 'changelog*' \) -delete \
 && strip --strip-all -o /tmp/node "$(command -v node)" \
 && install -d -m 700 -o 65532 -g 65532 /tmp/data

FROM ${BASE} AS product
LABEL org.opencontainers.image.title="Touchline" org.opencontainers.image.licenses="LicenseRef-proprietary"
WORKDIR /touchline
COPY --from=build /tmp/node /usr/bin/node
COPY --from=build --chown=65532:65532 /tmp/data /data
COPY --from=build /touchline/node_modules node_modules
COPY package.json LICENSE NOTICE ./
COPY --from=build /touchline/sbom.cdx.json ./
COPY locales locales
COPY --from=build /touchline/.cache/gallery .cache/gallery
COPY --from=build /touchline/dist dist
COPY src/contract src/contract
COPY src/operator src/operator
COPY src/sandbox src/sandbox
COPY src/server src/server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 65532:65532
EXPOSE 3000
VOLUME /data
# /livez answers once the port is open; a missing database is no reason to restart the process
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# the process itself, so that SIGTERM reaches it; the option bounds V8's new space, to save memory (docs/decisions/0062)
CMD ["node", "--max-semi-space-size=16", "src/server/main.ts"]

# `--target tool`: the operator's tool, with the pg_dump, pg_restore and psql of the database it works on
FROM docker.io/library/postgres:17.6 AS tool
COPY --from=product /usr/bin/node /usr/bin/node
COPY --from=product /touchline /touchline
WORKDIR /touchline
ENV NODE_ENV=production DATA_DIR=/data
ENTRYPOINT ["node", "--", "src/operator/touchline.mjs"]

# the default target
FROM product
