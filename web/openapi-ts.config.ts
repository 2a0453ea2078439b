import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig({
  input: '../openapi.yaml',
  output: {
    path: 'src/api/gen',
    entryFile: false,
    // Its own code does not meet our compiler options; the types it exports do.
    header: ['// Written by @hey-api/openapi-ts from openapi.yaml. Do not edit.', '// @ts-nocheck'],
  },
  // Unknown members would become an index signature, with which the compiler accepts every misspelt member.
  parser: {
    patch: {
      schemas: (_name, schema) => {
        if ('properties' in schema) delete schema.additionalProperties
      },
    },
  },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/sdk', responseStyle: 'data' },
    { name: '@hey-api/client-fetch', throwOnError: true },
  ],
})
