package sqlite_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/inboxopstest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestOps(t *testing.T) {
	inboxopstest.Run(t, func(t *testing.T) webhook.Inbox { return inbox(t, file(t), sqlite.Options{}) })
}
