package delivery

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// payload is the body of an event: store_id and event, then the other members by
// name. Events of fulfillment orders and locations carry store_id, order_id and
// the like as text, all others as numbers.
func payload(e world.Event) ([]byte, error) {
	textual := strings.HasPrefix(e.Name, "fulfillment_order/") || strings.HasPrefix(e.Name, "location/")
	fields := maps.Clone(e.Fields)
	if fields == nil {
		fields = map[string]any{}
	}
	fields["store_id"] = e.Store
	if textual {
		for name, v := range fields {
			if id, ok := v.(int64); ok {
				fields[name] = strconv.FormatInt(id, 10)
			}
		}
	}
	var b bytes.Buffer
	member := func(name string, v any) error {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":")
		return encode(&b, v)
	}
	if err := member("store_id", fields["store_id"]); err != nil {
		return nil, err
	}
	// The data-protection payloads have no event, because each has its own address.
	if !slices.Contains([]string{"store/redact", "customers/redact", "customers/data_request"}, e.Name) {
		if err := member("event", e.Name); err != nil {
			return nil, err
		}
	}
	delete(fields, "store_id")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := member(name, fields[name]); err != nil {
			return nil, err
		}
	}
	return append(append([]byte{'{'}, b.Bytes()...), '}'), nil
}

func encode(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}

// Sign is the hexadecimal HMAC-SHA256 of the body, keyed with the app's secret.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
