# The image of a release: goreleaser gives the programs of all platforms, each in the
# folder of its platform.
FROM scratch
ARG TARGETPLATFORM
COPY LICENSE .release/THIRD_PARTY_NOTICES /
COPY $TARGETPLATFORM/ssactl $TARGETPLATFORM/ssactl-serve /usr/bin/
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/usr/bin/ssactl"]
