/** Has deposits counted in a worker. */
declare const process: { readonly env: Readonly<Record<string, string>> }

const { TALLYSTICK_API_KEY: apiKey, TALLYSTICK_BASE_URL: baseUrl, TALLYSTICK_SECRET_KEY: secretKey } = process.env
const worker = new Worker(new URL("./counted.js", import.meta.url), { type: "module" })
worker.addEventListener("message", ({ data }: MessageEvent<number | string>) => {
  console.log(`${data} deposits were counted in a worker`)
  worker.terminate()
})
worker.postMessage({ apiKey, baseUrl, secretKey })
