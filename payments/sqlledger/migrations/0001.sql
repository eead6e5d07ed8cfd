-- compatible from 1
CREATE TABLE IF NOT EXISTS commerce_payment_operation (
	app                BIGINT NOT NULL DEFAULT 0, -- Ledger.App
	idempotency_key    TEXT   NOT NULL,    -- a UUID, also at the processor
	version            BIGINT NOT NULL,    -- counts the changes
	state              TEXT   NOT NULL,    -- begun, moved, reported, refused, cancelled or closed
	kind               TEXT   NOT NULL,    -- process, refund or cancel
	store_id           BIGINT NOT NULL,    -- 0 for a cancellation of a payment that is not known
	order_id           BIGINT NOT NULL,
	payment_attempt_id TEXT   NOT NULL,    -- empty for a refund
	transaction_id     TEXT   NOT NULL,    -- a UUID; empty if the payment is not reported
	amount             TEXT   NOT NULL,    -- a decimal
	currency           TEXT   NOT NULL,
	begun_at           BIGINT NOT NULL,    -- microseconds of Unix time, by the clock of the replica
	changed_at         BIGINT NOT NULL,    -- microseconds of Unix time, by the clock of the database
	entry              TEXT   NOT NULL,    -- the whole as JSON
	PRIMARY KEY (app, idempotency_key)
);
CREATE INDEX IF NOT EXISTS commerce_payment_operation_open
	ON commerce_payment_operation (app, idempotency_key) WHERE state IN ('begun', 'moved');
CREATE INDEX IF NOT EXISTS commerce_payment_operation_transaction
	ON commerce_payment_operation (transaction_id) WHERE transaction_id <> '';
CREATE INDEX IF NOT EXISTS commerce_payment_operation_attempt
	ON commerce_payment_operation (payment_attempt_id) WHERE payment_attempt_id <> '';
CREATE INDEX IF NOT EXISTS commerce_payment_operation_order
	ON commerce_payment_operation (store_id, order_id) WHERE order_id <> 0;
