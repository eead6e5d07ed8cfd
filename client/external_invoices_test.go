package client

import (
	"errors"
	"testing"

	"github.com/oklog/ulid/v2"
)

const (
	externalKey  = "35260100000000000191550010000000421000000428"
	externalPath = "/unstable/123/orders/871/invoices/external"
)

func TestExternalInvoiceServiceRequests(t *testing.T) {
	ctx := t.Context()
	one := `{"key":"` + externalKey + `","status":"Authorized","subtype":"sale","store_id":"123","order_id":"871",` +
		`"xml":"<a/>"}`
	list := func(s *ExternalInvoiceService) error {
		page, err := s.List(871, ExternalInvoiceFilter{PerPage: 50}).Page(ctx)
		if err != nil {
			return err
		}
		if all := page.Items; len(all) != 1 || all[0].Key != externalKey || all[0].OrderID != 871 ||
			all[0].FulfillmentOrderID != nil || string(all[0].Extra["xml"]) != `"<a/>"` {
			t.Errorf("got %+v", all)
		}
		return nil
	}
	cancel := func(s *ExternalInvoiceService) error {
		return s.Update(ctx, 871, externalKey, ExternalInvoiceInput{
			Key: externalKey, Status: ExternalInvoiceCancelled, FulfillmentOrderID: Null[ulid.ULID](),
		})
	}
	put := `PUT ` + externalPath + `/` + externalKey + ` {"status":"Cancelled","fulfillment_order_id":null}`
	drop := func(s *ExternalInvoiceService) error { return s.Delete(ctx, 871, externalKey) }
	requests(t, VersionUnstable, as[ExternalInvoiceService], []request[ExternalInvoiceService]{
		{"GET " + externalPath + " per_page=50", "[" + one + "]", list},
		{"GET " + externalPath + " per_page=50", `{"total":1,"page":1,"per_page":50,"results":[` + one + `]}`, list},
		{"GET " + externalPath + "/" + externalKey, one, func(s *ExternalInvoiceService) error {
			_, err := s.Get(ctx, 871, externalKey)
			return err
		}},
		{`POST ` + externalPath + ` {"key":"` + externalKey + `","series":"1"}`, one, func(s *ExternalInvoiceService) error {
			_, err := s.Create(ctx, 871, ExternalInvoiceInput{Key: externalKey, Series: Set("1")})
			return err
		}},
		// With the invoice, with nothing, and with an empty object.
		{put, one, cancel},
		{put, ``, cancel},
		{put, `{}`, cancel},
		{"DELETE " + externalPath + "/" + externalKey, ``, drop},
		{"DELETE " + externalPath + "/" + externalKey, `{}`, drop},
	})
	refusals := map[string]func(*ExternalInvoiceService) error{
		`status: ""`: func(s *ExternalInvoiceService) error {
			return s.Update(ctx, 871, externalKey, ExternalInvoiceInput{Key: externalKey})
		},
		`key: ""`: func(s *ExternalInvoiceService) error {
			_, err := s.Create(ctx, 871, ExternalInvoiceInput{})
			return err
		},
	}
	refused(t, VersionUnstable, as[ExternalInvoiceService], refusals)
	v, seen := answering(t, VersionUnstable, `[]`)
	for _, key := range []string{
		"12", externalKey + "1", externalKey[1:], externalKey[1:] + " ", externalKey[1:] + "\n", externalKey[1:] + "x", externalKey[2:] + "٣",
	} {
		_, err := as[ExternalInvoiceService](v).Create(ctx, 871, ExternalInvoiceInput{Key: key})
		if !errors.Is(err, ErrValidation) || len(*seen) != 0 {
			t.Errorf("key %q: got %v, asked %v", key, err, *seen)
		}
	}
	_, err := as[ExternalInvoiceService](v).List(871, ExternalInvoiceFilter{PerPage: 51}).Page(ctx)
	if !errors.Is(err, ErrValidation) || len(*seen) != 0 {
		t.Errorf("got %v, asked %v", err, *seen)
	}
}
