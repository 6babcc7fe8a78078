'use client'

export { Crashed as default } from '@/app/ui/crashed'
