/** Reads JSON of any form. */
export async function readJson(response: Response) {
  return JSON.parse(await response.text());
}

/** Posts JSON, and returns the status and body of the response. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** Posts a form as a browser would, without following the redirect. */
export function submitForm(url: string, fields: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** What a page says, without its markup and with single spaces. */
export function textOf(page: string): string {
  return page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}
