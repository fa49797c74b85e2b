FROM node:20-slim AS build
WORKDIR /tollgate
COPY . .
RUN npm run build
RUN rm -rf node_modules \
 && npm install --omit=dev --workspace=@tollgate/server --no-audit --no-fund \
 && rm -rf node_modules/@tollgate

FROM node:20-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /tollgate
COPY --from=build /tollgate/package.json ./
COPY --from=build /tollgate/node_modules ./node_modules
COPY --from=build /tollgate/dist/server ./dist/server
COPY --from=build /tollgate/dist/console ./dist/console
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
