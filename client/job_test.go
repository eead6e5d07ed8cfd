package client_test

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

func TestJobRate(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	j := client.Job{Total: 100, Done: 40, Failed: 10, Began: began, Moved: began.Add(20 * time.Second)}
	if j.Rate() != 2.5 || j.Waiting() != 50 || (client.Job{Total: 1}).Rate() != 0 {
		t.Errorf("rate %v, %d waiting", j.Rate(), j.Waiting())
	}
}
