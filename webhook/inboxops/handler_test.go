package inboxops_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

func memory(t testing.TB) *inboxmem.Inbox {
	t.Helper()
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	return in
}
