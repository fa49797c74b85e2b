# An image of the product: its package is made from this folder, installed, and put on a small system without npm.

# Nothing in the package is of one architecture, so it is made on the machine's own.
FROM --platform=$BUILDPLATFORM node:24-slim AS package
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/root/.npm npm run package -- --out /package

FROM node:24-slim AS install
COPY --from=package /package /package
# libsql and @node-rs bring binaries for two C libraries; this system has glibc.
RUN --mount=type=cache,target=/root/.npm \
    npm install --global --no-audit --no-fund /package/*.tgz \
 && rm -rf /usr/local/lib/node_modules/tollgate/node_modules/*/*-musl

FROM debian:bookworm-slim
COPY --from=install /usr/local/bin/node /usr/local/bin/node
COPY --from=install /usr/local/lib/node_modules/tollgate /usr/local/lib/node_modules/tollgate
RUN ln -s ../lib/node_modules/tollgate/dist/server/tollgate.js /usr/local/bin/tollgate \
 && install --directory --owner=1000 --group=1000 --mode=700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# By number, so that Kubernetes sees that it is not root.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tollgate"]
CMD ["start"]
