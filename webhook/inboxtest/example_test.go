package inboxtest_test

import (
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

func ExampleRun() {
	var t *testing.T // of TestInbox in your package

	engine := inboxtest.Engine{
		Open: func(t *testing.T) webhook.Inbox {
			inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
			if err != nil {
				t.Fatal(err)
			}
			return inbox
		},
		Bubble: synctest.Test, // not for an engine with a clock of its own
	}
	inboxtest.Run(t, engine)
	inboxtest.Schedules(t, engine, 40, 1)
}
