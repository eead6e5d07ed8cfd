// Package contract has the contract of the platform as files, for programs in any language. [Files] has
// them, and "refserver contract" prints them:
//
//   - openapi.json is OpenAPI 3.1 of the API in its three versions.
//   - callbacks.json is OpenAPI 3.1 of the calls that the platform makes, as webhooks: each with its headers, who may
//     call, its time limit, its body, and what each answer causes.
//   - README.md says which file is for what, and how to call the API.
//   - webhooks.md, discounts.md, rules.md, rates.md, labels.md and payments.md describe a callback each, with a call by
//     curl and its answer.
//   - examples has the body of a call of each kind. vectors.json has signed calls, calls to reject with the reason, and
//     requests for rates with their cache keys. verify.mjs and verify.py check them, in Node and in Python.
//
// Start with the page of your callback.
//
// # Guarantees
//
// The files are made from the tables and types of the reference server, and tests compare them.
//
// # See also
//
// Package client calls the API, and packages webhook, discounts,
// discounts/rules, shipping and payments answer the callbacks.
package contract
