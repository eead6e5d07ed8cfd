package delivery_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

func TestJudge(t *testing.T) {
	for status, accepted := range map[int]bool{200: true, 204: true, 299: true, 199: false, 300: false, 401: false, 503: false} {
		if err := delivery.Judge(status); (err == nil) != accepted {
			t.Errorf("%d: got %v", status, err)
		}
	}
}
