# The web app, which is embedded in the server.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY web .
RUN node_modules/.bin/vite build

# The server and the command line, linked statically. The build needs a C compiler for
# libsecp256k1, which recovers signatures several times faster than the Go version.
FROM golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/web/dist/app web/dist/app
ARG VERSION=dev
RUN CGO_ENABLED=1 go build -trimpath -tags netgo,osusergo \
    -ldflags "-s -w -X main.version=$VERSION -linkmode external -extldflags -static" -o /out/ ./cmd/...

# A local chain to try the system in containers. Not for deployment.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS chain
WORKDIR /chain
COPY tools/package.json .
RUN npm install --no-package-lock --ignore-scripts --no-audit --no-fund
USER node
EXPOSE 8545
ENTRYPOINT ["node_modules/.bin/anvil", "--host", "0.0.0.0", "--block-time", "1", "--mixed-mining", "--slots-in-an-epoch", "1", "--quiet"]

FROM alpine:3.22@sha256:14358309a308569c32bdc37e2e0e9694be33a9d99e68afb0f5ff33cc1f695dce AS server
COPY --from=build /out/ /usr/local/bin/
USER 65534
EXPOSE 8080
# With the default of 100 %, the small heap is collected ten times a second under load.
ENV TASKMARKET_LISTEN=0.0.0.0:8080 GOGC=400 GOMEMLIMIT=200MiB
ENTRYPOINT ["taskmarketd"]
CMD ["serve"]
