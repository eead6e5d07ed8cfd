package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

var shopTables = []string{
	`CREATE TABLE IF NOT EXISTS shop (store_id BIGINT PRIMARY KEY, currency TEXT NOT NULL)`,
}

// noteShop stores the currency of the store's prices.
func (a *app) noteShop(ctx context.Context, c *client.Client, store client.ID) error {
	shop, err := v202503.Store(c).Get(ctx)
	if err != nil {
		return err
	}
	_, err = a.db.ExecContext(ctx, `INSERT INTO shop (store_id, currency) VALUES ($1, $2)
		ON CONFLICT (store_id) DO UPDATE SET currency = excluded.currency`, store, shop.MainCurrency)
	return err
}

// figures are the numbers of the page.
type figures struct {
	Currency        string // of the store's prices
	Products, Gifts int    // in the copy

	// Of today. Orders can have several currencies.
	Orders, Given, Quotes int
	Worth                 []string // of the gifts, an amount for each currency
}

// today counts the records of the copy, and the events of today.
func (a *app) today(ctx context.Context, store client.ID, o offer) (f figures, err error) {
	db, day := a.db, dayOf(time.Now())
	err = db.QueryRowContext(ctx, `SELECT count(*), count(CASE WHEN tags LIKE $1 ESCAPE '!' THEN 1 END) FROM product
		WHERE store_id = $2`, "%,"+escapeLike.Replace(o.Tag)+",%", store).Scan(&f.Products, &f.Gifts)
	if err != nil {
		return f, err
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM purchase WHERE store_id = $1 AND day = $2),
		COALESCE((SELECT n FROM quoted WHERE store_id = $1 AND day = $2), 0),
		COALESCE((SELECT currency FROM shop WHERE store_id = $1), '')`, store, day).Scan(&f.Orders, &f.Quotes, &f.Currency)
	if err != nil {
		return f, err
	}
	worth := map[string]client.Money{}
	if f.Given, err = a.gifts(ctx, store, day, worth); err != nil {
		return f, err
	}
	if f.Given == 0 {
		worth[f.Currency] = client.Money{}
	}
	for currency, sum := range worth {
		f.Worth = append(f.Worth, strings.TrimSpace(sum.String()+" "+currency))
	}
	slices.Sort(f.Worth)
	return f, nil
}

// gifts counts the gifts of a day, and adds their amounts by currency.
func (a *app) gifts(ctx context.Context, store client.ID, day string, worth map[string]client.Money) (n int, err error) {
	rows, err := a.db.QueryContext(ctx,
		"SELECT gift, currency FROM purchase WHERE store_id = $1 AND day = $2 AND gift <> ''", store, day)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var gift client.Money
		var currency string
		if err := rows.Scan(&gift, &currency); err != nil {
			return 0, err
		}
		n++
		if worth[currency], err = worth[currency].Add(gift); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}

// escapeLike makes text literal in a pattern of LIKE.
var escapeLike = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
