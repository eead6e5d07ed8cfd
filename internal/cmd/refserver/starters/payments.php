<?php
// A payment app: every payment is taken, and refunds are given. It has the variables of "refserver env". ORIGIN is the
// https address that the platform calls. Register ORIGIN with /process, /cancel and /status. The payment provider of
// the store is made once, with POST /payment_providers. Run PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 payments.php
const JOURNAL = 'payments.ndjson', MOST = 1 << 20; // your database takes its place; bytes of a body
define('ORIGIN', getenv('ORIGIN') ?: 'https://app.example');

function call(string $path, array $body): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . getenv('COMMERCE_TOKEN'), 'User-Agent: Payments (you@example.com)',
            'Content-Type: application/json'],
        'content' => json_encode($body),
    ]]);
    $url = getenv('COMMERCE_BASE_URL') . '/v1/' . getenv('COMMERCE_STORE_ID') . $path;
    $answer = @file_get_contents($url, false, $context);
    return $answer === false ? throw new RuntimeException("POST $path failed") : json_decode($answer, true);
}

// The platform signs URL|timestamp|hash of the body. The URL is the registered one, whatever the header Host says.
function signed(string $body): bool
{
    $at = $_SERVER['HTTP_X_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $at) || abs(time() - (int) $at) > 300) {
        return false;
    }
    $text = ORIGIN . $_SERVER['REQUEST_URI'] . "|$at|" . hash('sha256', $body);
    $signature = base64_decode($_SERVER['HTTP_X_SIGNATURE'] ?? '', true);
    return openssl_verify($text, (string) $signature, getenv('COMMERCE_PAYMENTS_KEY'), OPENSSL_ALGO_SHA256) === 1;
}

// Money moves here: the card is charged, with the id of the attempt as the key. Then the platform gets the transaction.
function charge(array $ask): array
{
    $attempt = $ask['payment_attempt_id'];
    $event = ['type' => 'sale', 'status' => 'success', 'authorization_code' => 'A1', 'amount' => $ask['amount']];
    $answer = call("/orders/{$ask['order_id']}/transactions", [
        'payment_provider_id' => $ask['payment_provider_id'],
        'payment_method' => $ask['payment_method'],
        'first_event' => $event,
        'info' => ['external_id' => $attempt, 'installments' => ['quantity' => 1],
            'refund_url' => ORIGIN . '/refunds', 'supports_partial_refund' => true],
    ]);
    return ['attempt' => $attempt, 'order' => $ask['order_id'], 'id' => $answer['id']];
}

// The platform waits 20 seconds. A call may come twice, also at once: an attempt is taken once.
function answer(string $path, array $ask): array
{
    $journal = fopen(JOURNAL, 'a+');
    flock($journal, LOCK_EX); // one at a time; your database has a unique key
    $all = array_map(fn ($line) => json_decode($line, true), file(JOURNAL, FILE_SKIP_EMPTY_LINES));
    $with = fn ($name, $value) => array_values(array_filter($all, fn ($made) => (string) $made[$name] === "$value"));
    if ($path === '/status') {
        return [200, ['transactions' => $with('order', $_GET['order_id'] ?? '')]];
    }
    if ($path === '/process' && !$with('attempt', $ask['payment_attempt_id'])) {
        fwrite($journal, json_encode(charge($ask)) . "\n");
    }
    if ($made = $path === '/refunds' ? $with('id', $ask['transaction_id'])[0] ?? null : null) {
        $event = ['type' => 'refund', 'status' => 'success', 'authorization_code' => 'R1', 'amount' => $ask['amount']];
        call("/orders/{$made['order']}/transactions/{$made['id']}/events", $event);
    }
    return match ($path) {
        '/process' => [201, []], '/cancel' => [200, []],
        '/refunds' => $made ? [202, []] : [422, ['error_code' => 'refund_rejected']],
    };
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$known = preg_match('~^(POST /(process|cancel|refunds)|GET /status)$~D', "{$_SERVER['REQUEST_METHOD']} $path");
$body = file_get_contents('php://input', false, null, 0, MOST + 1);
[$status, $out] = [$known ? (strlen($body) > MOST ? 413 : 401) : 405, []];
if ($status === 401 && signed($body)) {
    [$status, $out] = answer($path, json_decode($body, true) ?? []);
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode((object) $out);
