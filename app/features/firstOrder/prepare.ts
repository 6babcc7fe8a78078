/**
 * A command that sends one order and works as it stands once the key is filled in. The time is the shell's own, so
 * that it is right whenever it is pasted: a fixed one would be late or from the future.
 */
export function firstOrderCommand(origin: string): string {
  return [
    `curl ${origin}/api/trpc/ingest.push \\`,
    `  -H 'Authorization: Bearer YOUR_KEY' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"source":"pos-1","events":[{`,
    '    "eventId":"try-1","orderId":"1001","userId":"ann",',
    `    "amount":"129.90","currency":"CNY","eventTime":'$(date +%s000)'}]}'`,
  ].join('\n')
}
