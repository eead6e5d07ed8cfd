package main

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/recording"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// deadline is how long the platform waits for the answer to a call.
func deadline(kind recording.Kind) time.Duration {
	limits := world.Contract()
	switch kind {
	case recording.Carts:
		return shop.Timeout
	case recording.Rates:
		return limits.RateTimeout
	case recording.Labels:
		return limits.LabelTimeout
	case recording.Payments:
		return payment.Timeout
	}
	return delivery.DefaultTimeout
}

// judge returns the reason why the platform would not accept an answer, by the rules of the reference server; nil if it
// would.
func judge(r recording.Result) error {
	asked, status, answer := []byte(r.Body), r.Answer.Status, r.Answer.Body
	switch r.Kind {
	case recording.Carts:
		return shop.Judge(asked, status, answer)
	case recording.Rates:
		return carrier.Judge(asked, status, answer)
	case recording.Labels:
		return label.Judge(label.Kind(r.Operation), asked, status, answer)
	case recording.Payments:
		return payment.Judge(payment.Kind(r.Operation), status, answer)
	}
	return delivery.Judge(status)
}
