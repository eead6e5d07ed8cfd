package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
)

func payCommand() command {
	return command{
		name: "pay", args: "[ORDER | cancel ATTEMPT | status ORDER | again CALL]", most: 2,
		does: "asks the payment app to take, cancel or report a payment, and lists the calls",
		lesson: `The calls are signed with the platform's key, which "refserver pay --key" prints. Each is shown with its answer and the
verdict on it. The status is 0 whatever the app answers. Without --provider, the app's newest provider is used.

The signature covers the https address of the app, so the app must know its origin. It is the origin that "serve
--partner" connects to the address of --to, and https://payments.desk.example if there is none. "refserver cart add" and
"refserver buy" make an order that is not paid.

    refserver pay --key
    refserver sale 60.00                # makes a provider; not required if the app has registered one
    refserver pay --to http://127.0.0.1:3000 1000111 --amount 60.00 --method-type credit_card --method visa
    refserver pay again 1               # the same call again
    refserver pay again 1 --resign      # with a new signature
    refserver pay cancel attempt-1
    refserver pay status 1000111
    refserver pay --old-key             # signs later calls with the previous key
    refserver pay --skew -10m           # signs later calls with a wrong clock
    refserver pay                       # lists the calls

--replica makes again call one of several replicas, counted from 1.

"refserver refund" refunds a payment.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in payFlags
			f.StringVar(&in.to, "to", "", "`URL` of an app, which is called from now on at /process, /cancel and /status below it")
			f.StringVar(&in.provider, "provider", "", "`UUID` of the payment provider; the newest if empty")
			f.StringVar(&in.amount, "amount", "", "`amount` to pay, such as 60.00; the total of the order if empty, unless it is paid")
			f.StringVar(&in.methodType, "method-type", "credit_card", "`type` of the payment method")
			f.StringVar(&in.method, "method", "visa", "`id` of the payment method")
			f.IntVar(&in.replica, "replica", 0, "`number` of the target that is called again; 0 means the next in turn")
			f.BoolVar(&in.resign, "resign", false, "sign the call again")
			f.BoolVar(&in.key, "key", false, "print the public key")
			f.BoolVar(&in.oldKey, "old-key", false, "sign with the previous key")
			f.StringVar(&in.skew, "skew", "", "`duration` by which the clock of signatures is ahead, such as -10m")
			return func(ctx context.Context, e *env) error { return pay(ctx, e, in) }
		},
	}
}

// payFlags are the flags of pay.
type payFlags struct {
	to, provider, amount, methodType, method, skew string
	replica                                        int
	resign, key, oldKey                            bool
}

func pay(ctx context.Context, e *env, in payFlags) error {
	verb, arg := at(e.args, 0), at(e.args, 1)
	if in.to != "" {
		if err := callPaymentsAt(ctx, e, in.to); err != nil {
			return err
		}
	}
	switch {
	case in.key && len(e.args) == 0:
		return printKey(ctx, e)
	case in.skew != "" || in.oldKey:
		if len(e.args) > 0 {
			return misused("argument", verb, "must be absent with --skew and --old-key, which change later calls")
		}
		return setSigning(ctx, e, in)
	case len(e.args) == 0:
		return listPayments(ctx, e)
	case verb == "again" && arg != "":
		body := map[string]any{"replica": in.replica, "resign": in.resign}
		return callPayments(ctx, e, escape(arg)+"/again", body)
	case verb == "cancel" && arg != "", verb == "status" && arg != "", arg == "":
		return payWith(ctx, e, in, verb, arg)
	}
	return misused("argument", verb, "must be ORDER, cancel ATTEMPT, status ORDER or again CALL")
}

// payWith makes a call to the app of a provider.
func payWith(ctx context.Context, e *env, in payFlags, verb, arg string) (err error) {
	if in.provider == "" {
		if in.provider, err = newest(ctx, e, "entities/payment_providers"); err != nil {
			return err
		}
	}
	if in.provider == "" {
		return fmt.Errorf("the store has no payment provider yet: the app makes one with POST /payment_providers%w", silent{errUsage})
	}
	if verb == "cancel" {
		return callPayments(ctx, e, verb, map[string]any{"provider": in.provider, "attempt": arg})
	}
	body := map[string]any{"provider": in.provider}
	if verb == "status" {
		body["order"], err = number("ORDER", arg)
	} else {
		body["order"], err = number("ORDER", verb)
		if in.amount == "" && err == nil {
			in.amount, err = dueOf(ctx, e, verb)
		}
		body["method_type"], body["method_id"], verb = in.methodType, in.method, "process"
		body["amount"] = in.amount
	}
	if err != nil {
		return err
	}
	return callPayments(ctx, e, verb, body)
}

// dueOf returns the total of an order that is not paid.
func dueOf(ctx context.Context, e *env, order string) (string, error) {
	path, err := e.inStore(ctx, "entities/orders/"+escape(order))
	if err != nil {
		return "", err
	}
	o, err := get[struct {
		Total  string `json:"total"`
		Status string `json:"payment_status"`
	}](ctx, e, path)
	if err == nil && o.Status == "paid" {
		err = fmt.Errorf("order %s is paid: set --amount for another payment%w", plain(order), silent{errUsage})
	}
	return o.Total, err
}

func callPayments(ctx context.Context, e *env, path string, body map[string]any) error {
	path, err := e.inStore(ctx, "payments/"+path)
	if err != nil {
		return err
	}
	return call(ctx, e, http.MethodPost, path, body, printPayment)
}

func listPayments(ctx context.Context, e *env) error {
	path, err := e.inStore(ctx, "payments")
	if err != nil {
		return err
	}
	return list(ctx, e, path, "N KIND STATUS OUTCOME URL REASON", func(p paymentJSON) []any {
		return []any{p.N, p.Kind, p.Status, p.Outcome, p.URL, orDash(p.Reason)}
	})
}

func printKey(ctx context.Context, e *env) error {
	return call(ctx, e, http.MethodGet, "payments/key", nil, func(w io.Writer, a struct{ PEM string }) { fmt.Fprint(w, a.PEM) })
}

// setSigning changes how later calls are signed.
func setSigning(ctx context.Context, e *env, in payFlags) error {
	if in.skew == "" {
		in.skew = "0s"
	}
	body := map[string]any{"old_key": in.oldKey, "skew": in.skew}
	type answer struct {
		OldKey bool   `json:"old_key"`
		Skew   string `json:"skew"`
	}
	return call(ctx, e, http.MethodPut, "payments/signing", body, func(w io.Writer, a answer) {
		fmt.Fprintf(w, "calls are signed with the old key: %v, with a clock that is ahead by %s\n", a.OldKey, a.Skew)
	})
}

func refundCommand() command {
	return command{
		name: "refund", args: "[TRANSACTION] AMOUNT", least: 1, most: 2, does: "asks the payment app to refund an amount of a transaction",
		lesson: `The transaction is one that the app reported as paid; the newest if none is named. "refserver sale" is the quickest way
to make one.

    refserver sale 120.00
    refserver refund 5.00`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				transaction, amount := e.args[0], e.args[len(e.args)-1]
				if len(e.args) == 1 {
					var err error
					if transaction, err = newest(ctx, e, "entities/transactions"); err != nil {
						return err
					}
				}
				return callPayments(ctx, e, "refund", map[string]any{"transaction": transaction, "amount": amount})
			}
		},
	}
}

func saleCommand() command {
	return command{
		name: "sale", args: "AMOUNT", least: 1, most: 1, does: "makes an order that a transaction of the demo app has paid",
		lesson: `Refunds and disputes require such a transaction.

    refserver sale 120.00`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				path, err := e.inStore(ctx, "sales")
				if err != nil {
					return err
				}
				type answer struct {
					Order                                   int64
					Transaction, Provider, Amount, Currency string
				}
				return call(ctx, e, http.MethodPost, path, map[string]any{"amount": e.args[0]}, func(w io.Writer, a answer) {
					fmt.Fprintf(w, "order %d, transaction %s of provider %s: %s %s\n", a.Order, a.Transaction, a.Provider, a.Amount, a.Currency)
				})
			}
		},
	}
}
