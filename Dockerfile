# The web app, which is embedded in the server.
FROM node:24-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY web .
RUN node_modules/.bin/vite build

# The server and the command line, linked statically. The build needs a C compiler for
# libsecp256k1, which recovers signatures several times faster than the Go version.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/web/dist/app web/dist/app
ARG VERSION=dev
RUN CGO_ENABLED=1 go build -trimpath -tags netgo,osusergo \
    -ldflags "-s -w -X main.version=$VERSION -linkmode external -extldflags -static" -o /out/ ./cmd/...

# A local chain to try the system in containers. Not for deployment.
FROM node:24-bookworm-slim AS chain
WORKDIR /chain
COPY tools/package.json .
RUN npm install --no-package-lock --ignore-scripts --no-audit --no-fund
USER node
EXPOSE 8545
ENTRYPOINT ["node_modules/.bin/anvil", "--host", "0.0.0.0", "--block-time", "1", "--mixed-mining", "--slots-in-an-epoch", "1", "--quiet"]

FROM alpine:3.22 AS server
COPY --from=build /out/ /usr/local/bin/
USER 65534
EXPOSE 8080
ENV TASKMARKET_LISTEN=0.0.0.0:8080
ENTRYPOINT ["taskmarketd"]
CMD ["serve"]
