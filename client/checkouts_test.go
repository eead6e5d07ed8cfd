package client_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	v1 "github.com/commerceplatform/commerce-go/client/v1"
)

// A 404 means that there are no checkouts only if it has the form of the platform. The list was empty for the page of a
// proxy once, and for half a body.
func TestNoCheckouts(t *testing.T) {
	for body, empty := range map[string]bool{
		`{"code":404,"message":"Not Found","description":"no result with the parameters entered"}`: true,
		`{"code":404,"message":"Not Found","description":"Last page is 0"}`:                        true,
		`{"code":404,"message":"Not Found","description":null}`:                                    true,
		`{"code":404,"message":"Not Found"}`:                                                       false,
		`{"code":404,"message":"Not F`:                                                             false,
		`{"code":502,"message":"Bad Gateway"}`:                                                     false,
		`{}`:                                                                                       false,
		``:                                                                                         false,
		`null`:                                                                                     false,
		`default backend - 404`:                                                                    false,
		`<html><body><h1>404 Not Found</h1></body>`:                                                false,
		`{"error":"no Route matched with those values"}`:                                           false,
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := saying(t, 404, body)
			all, err := v1.Checkouts(c).List(client.CheckoutFilter{}).Collect(t.Context())
			if len(all) != 0 || empty != (err == nil) || !empty && !errors.Is(err, client.ErrIntermediary) {
				t.Errorf("%s: got %d checkouts and %v, want an empty list: %v", body, len(all), err, empty)
			}
		})
	}
}

// A 404 in another form of the platform's refusals is returned.
func TestRefusedCheckouts(t *testing.T) {
	for _, body := range []string{
		`{"description":"Not valid","message":"Invalid","messages":{"/page":["is unknown"]}}`,
		`{"error":{"status":404,"code":"NotFoundException","detail":"no such route"}}`,
	} {
		c, _ := saying(t, 404, body)
		all, err := v1.Checkouts(c).List(client.CheckoutFilter{}).Collect(t.Context())
		if len(all) != 0 || !errors.Is(err, client.ErrNotFound) || errors.Is(err, client.ErrIntermediary) {
			t.Errorf("%s: got %d checkouts and %v, want the refusal", body, len(all), err)
		}
	}
}
