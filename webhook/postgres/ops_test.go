package postgres

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/inboxopstest"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestOps(t *testing.T) {
	inboxopstest.Run(t, func(t *testing.T) webhook.Inbox { return open(t, database.URL(), Options{Queue: newQueue(t)}) })
}
