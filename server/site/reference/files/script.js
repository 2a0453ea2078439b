// Filters the operations and sends test requests. The page is readable without this script.
'use strict'

const base = document.getElementById('content').dataset.base
const key = document.getElementById('key')

for (const part of document.querySelectorAll('.filter, #credentials, .try')) part.hidden = false

document.getElementById('credentials').addEventListener('submit', (event) => event.preventDefault())

document.getElementById('filter').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const item of document.querySelectorAll('nav li')) {
    const text = item.dataset.words.toLowerCase()
    item.hidden = !words.every((word) => text.includes(word))
  }
})

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
}

async function send(form) {
  const button = form.querySelector('button')
  button.disabled = true
  show(form, 'Sending…')
  try {
    const { path, options } = await request(form)
    const response = await fetch(base + path, options)
    show(form, `${response.status} ${response.statusText}`, await readable(response))
  } catch (error) {
    show(form, 'No response: ' + error.message)
  } finally {
    button.disabled = false
  }
}

// request builds the arguments for fetch from the form's non-empty fields.
async function request(form) {
  const { method, access } = form.dataset
  let path = form.dataset.path
  const query = new URLSearchParams()
  const headers = new Headers()
  const options = { method, headers, redirect: 'error', credentials: 'omit', cache: 'no-store' }
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.value === '') continue
    switch (field.dataset.in) {
      case 'path':
        path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
        break
      case 'query':
        query.set(field.name, field.value)
        break
      case 'header':
        headers.set(field.name, field.value)
        break
      case 'body':
        headers.set('Content-Type', 'application/json')
        options.body = field.value
        break
      case 'file':
        options.body = new FormData()
        options.body.set('file', field.files[0])
        break
    }
  }
  await authorise(access, method, headers, options)
  const search = query.toString()
  return { path: search ? `${path}?${search}` : path, options }
}

// authorise adds the API key, or uses the browser's session if there is no key.
async function authorise(access, method, headers, options) {
  if (access === 'none') return
  if (access !== 'session' && key.value !== '') {
    headers.set('X-API-Key', key.value)
    return
  }
  if (access === 'key') return
  options.credentials = 'same-origin'
  if (method === 'GET') return
  const session = await fetch(base + '/auth/session', { credentials: 'same-origin' })
  if (session.ok) headers.set('X-CSRF-Token', (await session.json()).csrf_token)
}

async function readable(response) {
  const type = response.headers.get('Content-Type') ?? ''
  if (!type.startsWith('application/json')) {
    const { size } = await response.blob()
    return type ? `${size} bytes of ${type}` : `${size} bytes`
  }
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

// show displays the response as plain text: the API's output is never parsed as HTML.
function show(form, status, body) {
  const output = form.querySelector('output')
  const line = document.createElement('p')
  line.textContent = status
  output.replaceChildren(line)
  if (body === undefined) return
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = body
  output.append(pre)
}
