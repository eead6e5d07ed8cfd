package webhooktest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Sender signs and delivers. Either Handler or URL must be set. It is a value and safe for concurrent use.
type Sender struct {
	// Handler receives the deliveries without a network.
	Handler http.Handler
	// URL receives the deliveries by HTTP if Handler is nil.
	URL string
	// Client sends to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Secret is the key of the signature.
	Secret client.Secret
	// HeaderName is the header of the signature. If empty, webhook.SignatureHeader is used.
	HeaderName string
}

// Deliver sends one delivery and returns the status of the answer. Like the platform, it waits for webhook.AnswerTime
// at most.
func (s Sender) Deliver(ctx context.Context, body []byte) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, webhook.AnswerTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, cmp.Or(s.URL, "/"), bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("webhooktest: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(cmp.Or(s.HeaderName, webhook.SignatureHeader), webhook.Sign(s.Secret, body))
	if s.Handler != nil {
		status, _, err := recording.Serve(s.Handler, r)
		if err != nil {
			return 0, fmt.Errorf("webhooktest: no answer: %w", err)
		}
		return status, nil
	}
	answer, err := cmp.Or(s.Client, http.DefaultClient).Do(r)
	if err != nil {
		return 0, fmt.Errorf("webhooktest: %w", err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	return answer.StatusCode, err
}

// Body makes the body of a delivery from a payload's members, store_id and event. An empty event is omitted, as in the
// three privacy requests, whose addresses determine the event (see webhook.Handler.Event). It panics if the
// payload cannot be marshalled.
func Body(store client.ID, event webhook.Name, payload map[string]any) []byte {
	members := map[string]any{"store_id": store}
	if event != "" {
		members["event"] = event
	}
	for name, value := range payload {
		members[name] = value
	}
	body, err := json.Marshal(members)
	if err != nil {
		panic(fmt.Sprintf("webhooktest: payload of %s: %v", event, err))
	}
	return body
}
