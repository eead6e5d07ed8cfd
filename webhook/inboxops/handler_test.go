package inboxops_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/inboxopstest"
	"github.com/commerceplatform/commerce-go/webhook"
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

func TestMemory(t *testing.T) {
	inboxopstest.Run(t, func(t *testing.T) webhook.Inbox { return memory(t) })
}
