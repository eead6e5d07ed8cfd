package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// A mebibyte of the shortest elements in a list below a record takes no gigabytes, wherever the list is.
func TestListsInRecordsAreBounded(t *testing.T) {
	lists := map[string][]string{
		"product": {"variants", "categories", "unknown"},
		"order":   {"products", "coupon", "promotional_discount"},
	}
	reads := map[string]func(ctx context.Context, c *Client) error{
		"product": func(ctx context.Context, c *Client) error {
			return c.Do(ctx, Request{Path: "/products/1"}, new(Product))
		},
		"products": func(ctx context.Context, c *Client) error {
			return c.Do(ctx, Request{Path: "/products"}, new([]Product))
		},
		"order":  func(ctx context.Context, c *Client) error { return c.Do(ctx, Request{Path: "/orders/1"}, new(Order)) },
		"orders": func(ctx context.Context, c *Client) error { return c.Do(ctx, Request{Path: "/orders"}, new([]Order)) },
	}
	elements := []string{`{}`, `{"id":1234567,"position":1,"created_at":"2025-01-01T12:00:00+0000"}`, `null`, `1`}
	if listEndings > 1 { // the race detector takes ten times as long
		elements = elements[:2]
	}
	refused, accepted, most := 0, 0, hostile.Spent{}
	for record, members := range lists {
		for _, member := range members {
			for _, element := range elements {
				body := fmt.Sprintf(`{"id":1,"%s":[%s%s]}`, member, strings.Repeat(element+",", 1<<20/(len(element)+1)), element)
				for name, body := range map[string]string{record: body, record + "s": "[" + body + "]"} {
					c := newTest(t, hostile.Answers(hostile.Status(200, body)))
					var err error
					spent := hostile.Cost(func() { err = reads[name](t.Context(), c) })
					if most = most.Max(spent); spent.Bytes > 64<<20 {
						t.Errorf("%s.%s of %s: %v, want 64 MiB at most (%v)", name, member, element, spent, err)
					}
					switch {
					case err == nil:
						accepted++
					case errors.Is(err, wire.ErrTooMany) && errors.As(err, new(*DecodeError)):
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d refused and %d accepted, at most %v", refused, accepted, most)
	if refused == 0 || accepted == 0 {
		t.Errorf("%d refused and %d accepted, want some of both", refused, accepted)
	}
}

// What the platform sends has room: full pages, with long texts, with few members and with none.
func TestAnswersHaveRoom(t *testing.T) {
	html := strings.Repeat(`p{margin:0},a{color:red},[x]{}`, 1000)
	for name, record := range map[string]reflect.Type{
		"product": reflect.TypeFor[Product](), "order_2025_03": reflect.TypeFor[Order](), "order_v1": reflect.TypeFor[Order](),
		"customer": reflect.TypeFor[Customer](), "draft_order": reflect.TypeFor[DraftOrder](), "checkout": reflect.TypeFor[Checkout](),
		"category": reflect.TypeFor[Category](), "fulfillment_order": reflect.TypeFor[FulfillmentOrder](), "variant": reflect.TypeFor[Variant](),
		"coupon": reflect.TypeFor[Coupon](), "location": reflect.TypeFor[Location](),
	} {
		var short bytes.Buffer
		if err := json.Compact(&short, document(t, name)); err != nil {
			t.Fatal(err)
		}
		for what, one := range map[string][]byte{
			"whole": short.Bytes(), "with a long text": slices.Concat([]byte(`{"note":"`+html+`",`), short.Bytes()[1:]), "with an id": []byte(`{"id":1234567}`), "empty": []byte(`{}`),
		} {
			list := slices.Concat([]byte("["), bytes.Repeat(append(slices.Clone(one), ','), 199), one, []byte("]"))
			if err := wire.CheckRoom(list, reflect.SliceOf(record)); err != nil {
				t.Errorf("a page of 200 of %s, %s: %v", name, what, err)
			}
		}
	}
}
