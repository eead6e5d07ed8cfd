package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
)

func payCommand() command {
	return command{
		name: "pay", args: "[ORDER | cancel ATTEMPT | status ORDER | again CALL]", most: 2,
		does: "asks the payment app to take, cancel or report a payment, and lists the calls",
		lesson: `The calls are signed with the platform's key. "refserver pay --key" prints its public half. The command shows each call
with its answer and the outcome. The exit status is 0 whatever the app answers. The calls go to the newest payment provider,
or to that of --provider.

The signature covers the https address of the app, so the app must know its origin. If "serve --partner" connects an
origin to the address of --to, it is that origin, otherwise https://payments.desk.example. To make an order that is not
paid, run "refserver cart add" and "refserver buy".

    refserver pay --key
    refserver sale 60.00                # creates a provider; leave it out if your app has created one
    refserver pay --to http://127.0.0.1:3000 1000111 --amount 60.00 --method-type credit_card --method visa
    refserver pay again 1               # the same call again
    refserver pay again 1 --resign      # with a new signature
    refserver pay cancel attempt-1
    refserver pay status 1000111
    refserver pay --old-key             # signs later calls with the previous key
    refserver pay --skew -10m           # signs later calls with a wrong clock
    refserver pay                       # lists the calls

If --partner connects the app's origin to several addresses, "again --replica 2" repeats the call at the second.

"refserver refund" refunds a payment.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			var in payFlags
			f.StringVar(&in.to, "to", "", "`URL` of an app; payment calls go to /process, /cancel and /status below it from now on")
			f.StringVar(&in.provider, "provider", "", "`UUID` of the payment provider; the newest if empty")
			f.StringVar(&in.amount, "amount", "", "`amount` to pay, such as 60.00; if empty, the total of the order, which must not be paid yet")
			f.StringVar(&in.methodType, "method-type", "credit_card", "`type` of the payment method")
			f.StringVar(&in.method, "method", "visa", "`id` of the payment method")
			f.IntVar(&in.replica, "replica", 0, "`number` of the address that \"again\" calls, from 1; 0 means the next in turn")
			f.BoolVar(&in.resign, "resign", false, "let \"again\" sign the call with the present time")
			f.BoolVar(&in.key, "key", false, "print the platform's public key")
			f.BoolVar(&in.oldKey, "old-key", false, "sign later calls with the previous key")
			f.StringVar(&in.skew, "skew", "", "`duration` that is added to the time of later signatures, such as -10m")
			return func(ctx context.Context, e *env) error { return pay(ctx, e, in) }
		},
	}
}

// payVerbs are the first arguments that are no order.
var payVerbs = []string{"cancel", "status", "again"}

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
	case in.key && len(e.args) > 0:
		return misused("argument", verb, "must be absent with --key")
	case in.key:
		return printKey(ctx, e)
	case in.skew != "" || in.oldKey:
		if len(e.args) > 0 {
			return misused("argument", verb, "must be absent with --skew and --old-key, which change later calls")
		}
		return setSigning(ctx, e, in)
	case len(e.args) == 0:
		return listPayments(ctx, e)
	case verb == "again" && arg != "":
		body := members{"replica": in.replica, "resign": in.resign}
		return show(ctx, e, "payments.again", of{arg}, body, printPayment)
	case verb == "cancel" && arg != "", verb == "status" && arg != "", arg == "" && !slices.Contains(payVerbs, verb):
		return payWith(ctx, e, in, verb, arg)
	}
	return misused("argument", verb, "must be ORDER, cancel ATTEMPT, status ORDER or again CALL")
}

// payWith makes a call to the app of a provider.
func payWith(ctx context.Context, e *env, in payFlags, verb, arg string) (err error) {
	var order int64
	if verb != "cancel" {
		if order, err = number("ORDER", cmp.Or(arg, verb)); err != nil {
			return err
		}
	}
	if in.provider == "" {
		if in.provider, err = newest(ctx, e, "entities", "payment_providers"); err != nil {
			return err
		}
	}
	if in.provider == "" {
		return fmt.Errorf("the store has no payment provider yet: an app creates one with POST /payment_providers, and "+
			"\"refserver sale 60.00\" creates one for the demo app%w", silent{errUsage})
	}
	if verb == "cancel" {
		return show(ctx, e, "payments.cancel", nil, members{"provider": in.provider, "attempt": arg}, printPayment)
	}
	if verb == "status" {
		return show(ctx, e, "payments.status", nil, members{"provider": in.provider, "order": order}, printPayment)
	}
	if in.amount == "" {
		if in.amount, err = dueOf(ctx, e, verb); err != nil {
			return err
		}
	}
	return show(ctx, e, "payments.process", nil, members{
		"provider": in.provider, "order": order, "method_type": in.methodType, "method_id": in.method, "amount": in.amount,
	}, printPayment)
}

// dueOf returns the total of an order that is not paid.
func dueOf(ctx context.Context, e *env, order string) (string, error) {
	var o reply
	err := e.do(ctx, "entities.show", of{"orders", order}, nil, &o)
	if err == nil && o.text("payment_status") == "paid" {
		err = fmt.Errorf("order %s is paid: set --amount for another payment%w", plain(order), silent{errUsage})
	}
	return o.text("total"), err
}

func listPayments(ctx context.Context, e *env) error {
	return list(ctx, e, "payments", nil, columns{"N n", "KIND kind", "STATUS status", "OUTCOME outcome", "URL url", "REASON reason"})
}

func printKey(ctx context.Context, e *env) error {
	return show(ctx, e, "payments.key", nil, nil, func(w io.Writer, a reply) {
		var pem string
		_ = json.Unmarshal(a.at("pem").raw, &pem)
		fmt.Fprint(w, pem)
	})
}

// setSigning changes how later calls are signed.
func setSigning(ctx context.Context, e *env, in payFlags) error {
	if in.skew == "" {
		in.skew = "0s"
	}
	body := members{"old_key": in.oldKey, "skew": in.skew}
	return show(ctx, e, "payments.signing.set", nil, body, func(w io.Writer, a reply) {
		key := "present"
		if a.is("old_key") {
			key = "previous"
		}
		fmt.Fprintf(w, "later calls are signed with the %s key, and %s is added to their time\n", key, a.text("skew"))
	})
}

func refundCommand() command {
	return command{
		name: "refund", args: "[TRANSACTION] AMOUNT", least: 1, most: 2, inputs: map[string]string{"amount": "AMOUNT"},
		does: "asks the payment app to refund an amount of a transaction",
		lesson: `The transaction is one that the app reported as paid; the newest if none is named. "refserver sale" is the quickest way
to make one.

    refserver sale 120.00
    refserver refund 5.00`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				transaction, amount := e.args[0], e.args[len(e.args)-1]
				if len(e.args) == 1 {
					var err error
					if transaction, err = newest(ctx, e, "entities", "transactions"); err != nil {
						return err
					}
					if transaction == "" {
						return fmt.Errorf("the store has no transaction yet: make one with \"refserver sale 120.00\"%w", silent{errUsage})
					}
				}
				return show(ctx, e, "payments.refund", nil, members{"transaction": transaction, "amount": amount}, printPayment)
			}
		},
	}
}

func saleCommand() command {
	return command{
		name: "sale", args: "AMOUNT", least: 1, most: 1, inputs: map[string]string{"amount": "AMOUNT"},
		does: "makes an order that is paid by a transaction of the demo app",
		lesson: `Refunds and disputes require such a transaction.

    refserver sale 120.00`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				return show(ctx, e, "sales.new", nil, members{"amount": e.args[0]}, func(w io.Writer, a reply) {
					fmt.Fprintf(w, "order %s, transaction %s of provider %s: %s %s\n", a.text("order"), a.text("transaction"),
						a.text("provider"), a.text("amount"), a.text("currency"))
				})
			}
		},
	}
}
