<?php
// A carrier that answers rates. Run: PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 carrier.php
// The rates depend only on the parcel, its origin and its destination: for 15 minutes the platform uses the answer for
// all requests with the same three. Whoever knows the address can ask; if rates are secret, put a token into it.
const COUNTRIES = ['AR', 'BR', 'MX', 'CL', 'CO'];
const MOST = 1 << 20; // bytes of a body

// A refusal is answered 4xx: the checkout then shows the fallback option of the merchant.
class Refusal extends Exception
{
}

function rates(array $ask): array
{
    $grams = array_sum(array_map(fn ($item) => $item['grams'] * $item['quantity'], $ask['items']));
    if (!in_array($ask['destination']['country'], COUNTRIES, true)) {
        throw new Refusal('we do not go there', 422);
    }
    if ($grams > 30_000) {
        throw new Refusal('it is too heavy', 422);
    }
    $far = $ask['origin']['province'] !== $ask['destination']['province'];
    $price = 1000 + 500 * ceil($grams / 1000) + ($far ? 700 : 0);
    $rates = [];
    foreach ($ask['carrier']['options'] as $i => $option) {
        $rates[] = [
            'name' => $option['name'],
            'code' => $option['code'], // of an option of the carrier; each code at most once
            'type' => 'ship',
            'price' => $price * ($i + 1),
            'currency' => $ask['currency'],
            'min_delivery_date' => gmdate('Y-m-d\T12:00:00+00:00', strtotime('+2 days')),
            'max_delivery_date' => gmdate('Y-m-d\T12:00:00+00:00', strtotime($far ? '+6 days' : '+3 days')),
            'reference' => "{$option['code']}-{$grams}g", // stored with the order
        ];
    }
    return $rates;
}

function answer(): array
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return [405, ['message' => 'POST only']];
    }
    $body = file_get_contents('php://input', false, null, 0, MOST + 1);
    if (strlen($body) > MOST) {
        return [413, ['message' => 'too large']];
    }
    // A member that is missing is an error here, in place of a warning.
    set_error_handler(fn ($level, $text) => throw new UnexpectedValueException($text));
    try {
        return [200, ['rates' => rates(json_decode($body, true, 64, JSON_THROW_ON_ERROR))]];
    } catch (Refusal $refusal) {
        return [$refusal->getCode(), ['message' => $refusal->getMessage()]];
    } catch (JsonException | TypeError | UnexpectedValueException $err) {
        error_log('not a request for rates: ' . $err->getMessage());
        return [400, ['message' => 'not a request for rates']];
    }
}

[$status, $body] = answer();
http_response_code($status);
header('Content-Type: application/json');
echo json_encode($body);
