package otelcommerce

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
)

// InstrumentClient adds spans and metrics to a configuration before its first use. It sets OnAttempt, and calls the
// previous hook within the span. With a Propagator it also wraps the transport of HTTPClient. Call it once for a
// configuration. For [client.Stores], pass the field Config; the clients of all stores then share the instruments.
func (t *Telemetry) InstrumentClient(config *client.Config) {
	routes := newRoutes(serverOf(config.BaseURL))
	o := &clientObserver{tracer: t.tracer(), clientMeters: newClientMeters(t.meter()), routes: routes}
	config.OnAttempt = after(o.begin, config.OnAttempt)
	if t.Propagator != nil {
		config.HTTPClient = &http.Client{Transport: &propagating{transportOf(config.HTTPClient), t.Propagator}}
	}
}

// serverOf returns the server of a base address; empty if client.New rejects the address.
func serverOf(base string) []attribute.KeyValue {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		if port = 443; u.Scheme == "http" {
			port = 80
		}
	}
	return []attribute.KeyValue{semconv.ServerAddress(u.Hostname()), semconv.ServerPort(port)}
}

// onAttempt is the type of client.Config.OnAttempt.
type onAttempt = func(context.Context, client.Attempt) (context.Context, func(client.AttemptEnd))

// after returns a hook that calls both, the second within the first. If one of them panics, the other one is still
// ended.
func after(first, second onAttempt) onAttempt {
	if second == nil {
		return first
	}
	return func(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
		ctx, end := first(ctx, a)
		returned := false
		defer func() {
			if !returned {
				end(client.AttemptEnd{Err: errHook})
			}
		}()
		within, endWithin := second(ctx, a)
		returned = true
		if within == nil {
			within = ctx
		}
		return within, func(e client.AttemptEnd) {
			defer end(e)
			if endWithin != nil {
				endWithin(e)
			}
		}
	}
}

// clientObserver makes spans and metrics of calls.
type clientObserver struct {
	tracer trace.Tracer
	clientMeters
	routes *routes
}

// begin is a client.Config.OnAttempt.
func (o *clientObserver) begin(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
	r := o.routes.of(a.Method, a.Route)
	if a.Number == 0 {
		ctx, span := o.tracer.Start(ctx, r.callName, r.callOptions...)
		return ctx, func(e client.AttemptEnd) {
			o.call(ctx, r, e)
			endCall(span, a, e)
		}
	}
	ctx, span := o.tracer.Start(ctx, r.name, r.options...)
	return ctx, func(e client.AttemptEnd) {
		o.request(ctx, r, e)
		endRequest(span, a, e)
	}
}

// endCall ends the span of a call. It omits empty attributes, because each attribute of a span costs time.
func endCall(span trace.Span, a client.Attempt, e client.AttemptEnd) {
	defer span.End()
	if !span.IsRecording() {
		return
	}
	all := append(make([]attribute.KeyValue, 0, 8), attribute.String("commerce.api.version", string(a.Version)))
	if a.StoreID != 0 {
		all = append(all, attribute.Int64("commerce.store.id", int64(a.StoreID)))
	}
	if e.Requests != 1 {
		all = append(all, attribute.Int("commerce.requests", e.Requests))
	}
	finish(span, e, all)
}

// endRequest ends the span of a request.
func endRequest(span trace.Span, a client.Attempt, e client.AttemptEnd) {
	defer span.End()
	if !span.IsRecording() {
		return
	}
	all := make([]attribute.KeyValue, 0, 8)
	if a.Sent > 0 {
		all = append(all, semconv.HTTPRequestResendCount(a.Sent), attribute.Int("commerce.attempt", a.Number))
	}
	if e.Status != 0 {
		all = append(all, attribute.Int64("commerce.response.size", e.Bytes))
	}
	if e.Rate.Limit > 0 {
		all = append(all, attribute.Int("commerce.rate_limit.limit", e.Rate.Limit),
			attribute.Int("commerce.rate_limit.remaining", e.Rate.Remaining))
	}
	if e.RequestID != "" {
		all = append(all, attribute.String("commerce.request.id", e.RequestID))
	}
	if e.Again {
		all = append(all, attribute.Float64("commerce.retry.wait", e.Wait.Seconds()))
	}
	finish(span, e, all)
}

// finish sets the attributes of an end, and the attributes that calls and requests have in common.
func finish(span trace.Span, e client.AttemptEnd, all []attribute.KeyValue) {
	if e.Waited > 0 {
		all = append(all, attribute.Float64("commerce.rate_limit.wait", e.Waited.Seconds()))
	}
	if e.Status != 0 {
		all = append(all, semconv.HTTPResponseStatusCode(e.Status))
	}
	if e.Err != nil {
		all = append(all, semconv.ErrorTypeKey.String(errorType(e.Err)))
		span.SetStatus(codes.Error, description(e.Err))
	}
	span.SetAttributes(all...)
}
