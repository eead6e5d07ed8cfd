// Command webhooks receives webhooks by this module.
package main
