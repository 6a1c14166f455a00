/** Calls the API with the token and returns the JSON of its response; throws when it refuses. */
export async function callApi(
  { api, token }: { api: string; token: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${api}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
