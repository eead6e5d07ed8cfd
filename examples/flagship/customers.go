package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

var customerTables = []string{
	// Customers who have asked for their data, until the merchant has answered.
	`CREATE TABLE IF NOT EXISTS data_request (
		store_id BIGINT, id BIGINT, customer BIGINT NOT NULL, PRIMARY KEY (store_id, id))`,
}

// redactStore deletes all data of a store.
func (a *app) redactStore(ctx context.Context, store client.ID) error {
	// README: redact store
	err := a.Redact(ctx, store)
	for _, table := range []string{"product", "purchase", "handled", "offer", "quoted", "data_request", "shop"} {
		_, failed := a.db.ExecContext(ctx, "DELETE FROM "+table+" WHERE store_id = $1", store)
		err = errors.Join(err, failed)
	}
	// end
	return err
}

// redactCustomer erases the customer of purchases. It also makes rows for orders that are not copied yet, so that the
// copy does not store their customer either.
func (a *app) redactCustomer(ctx context.Context, d webhook.Delivery[webhook.CustomerRedact]) error {
	for _, order := range d.Payload.OrdersToRedact {
		_, err := a.db.ExecContext(ctx, `
			INSERT INTO purchase (store_id, id, customer, erased, status, paid, total, currency, gift, day, updated)
			VALUES ($1, $2, 0, 1, '', '', '', '', '', '', '') ON CONFLICT (store_id, id) DO UPDATE SET customer = 0, erased = 1`,
			d.StoreID, order)
		if err != nil {
			return err
		}
	}
	_, err := a.db.ExecContext(ctx, "UPDATE purchase SET customer = 0, erased = 1 WHERE store_id = $1 AND customer = $2",
		d.StoreID, d.Payload.Customer.ID)
	_, failed := a.db.ExecContext(ctx, "DELETE FROM data_request WHERE store_id = $1 AND customer = $2",
		d.StoreID, d.Payload.Customer.ID)
	return errors.Join(err, failed)
}

// noteDataRequest stores a request. The merchant sees it on the page of the app and answers it.
func (a *app) noteDataRequest(ctx context.Context, d webhook.Delivery[webhook.DataRequest]) error {
	_, err := a.db.ExecContext(ctx,
		"INSERT INTO data_request (store_id, id, customer) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
		d.StoreID, d.Payload.DataRequest.ID, d.Payload.Customer.ID)
	return err
}

// dataRequests returns the ids of the requests that the merchant has not answered.
func (a *app) dataRequests(ctx context.Context, store client.ID) (ids []client.ID, err error) {
	rows, err := a.db.QueryContext(ctx, "SELECT id FROM data_request WHERE store_id = $1 ORDER BY id LIMIT 100", store)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id client.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// purchase is the stored part of an order.
type purchase struct {
	Order  client.ID `json:"order"`
	Day    string    `json:"day"`
	Status string    `json:"status"`
	Paid   string    `json:"payment_status"`
	Total  string    `json:"total"`
	Gift   string    `json:"gift,omitempty"`
}

// export sends a file with all stored data of the customer of a data request.
func (a *app) export(w http.ResponseWriter, r *http.Request, store client.ID) error {
	request, err := strconv.ParseInt(r.PathValue("request"), 10, 64)
	if err != nil {
		return errNoPage
	}
	rows, err := a.db.QueryContext(r.Context(), `SELECT p.id, p.day, p.status, p.paid, p.total, p.gift
		FROM data_request d JOIN purchase p ON p.store_id = d.store_id AND p.customer = d.customer
		WHERE d.store_id = $1 AND d.id = $2 ORDER BY p.id`, store, request)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error
	all := []purchase{}
	for rows.Next() {
		var p purchase
		if err := rows.Scan(&p.Order, &p.Day, &p.Status, &p.Paid, &p.Total, &p.Gift); err != nil {
			return err
		}
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="data-request-%d.json"`, request))
	return json.NewEncoder(w).Encode(map[string]any{"data_request": request, "purchases": all})
}

// answered removes a data request that the merchant has answered.
func (a *app) answered(w http.ResponseWriter, r *http.Request, store client.ID) error {
	request, err := strconv.ParseInt(r.PathValue("request"), 10, 64)
	if err != nil {
		return errNoPage
	}
	_, err = a.db.ExecContext(r.Context(), "DELETE FROM data_request WHERE store_id = $1 AND id = $2", store, request)
	if err == nil {
		a.done(w, r, "answered")
	}
	return err
}
