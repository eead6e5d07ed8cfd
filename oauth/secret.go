package oauth

import "github.com/commerceplatform/commerce-go/client"

// Secret is the former name of client.Secret.
//
// Deprecated: use client.Secret.
//
//go:fix inline
type Secret = client.Secret

const redacted = "[redacted]"
