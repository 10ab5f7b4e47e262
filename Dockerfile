# The server with what it needs to run, and no more. It writes to /data alone, so that the rest may be read-only:
#
#   docker build -t phaseline . && docker run --read-only -p 127.0.0.1:4000:4000 -v phaseline:/data phaseline
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/generate-client.mjs && npm run build && node scripts/make-empty-database.mjs
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/dist dist
RUN mkdir /data && chown node:node /data
# Inside of the container every address is its own; who may come in is for the published port. A name other than
# localhost, under which clients reach it, goes into PHASELINE_ALLOWED_HOSTS.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 PHASELINE_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
