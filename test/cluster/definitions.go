package main

// definitions are the CustomResourceDefinitions of the made-up cluster.
var definitions = []string{`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: redisclusters.cache.example.com
spec:
  group: cache.example.com
  names: {kind: RedisCluster, listKind: RedisClusterList, plural: redisclusters, singular: rediscluster}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              shards: {type: integer, minimum: 1}
              version: {type: string}
              persistence: {type: string, default: aof}
              nodes:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    zone: {type: string}
                    memory: {type: string}
          status:
            type: object
            properties:
              phase: {type: string}
              masters: {type: array, items: {type: string}}
`, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: scrapetargets.monitoring.example.com
spec:
  group: monitoring.example.com
  names: {kind: ScrapeTarget, listKind: ScrapeTargetList, plural: scrapetargets, singular: scrapetarget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              selector:
                type: object
                properties:
                  matchLabels: {type: object, additionalProperties: {type: string}}
              endpoints:
                type: array
                items:
                  type: object
                  properties:
                    port: {type: string}
                    path: {type: string}
                    interval: {type: string}
`}
