export { ConsoleLoading as default } from '@/app/features/console/loading'
