package market_test

import (
	"strings"
	"testing"

	"taskmarket/market"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Ada", "Zoë", "日本", "O'Neil & sons", "Harbour Agent", "Agent 47", "Анна Петрова", "Άρι", "Мария", "محمد", "می\u200cترا", "อรุณ", "🇵🇹 Ana", "Ana 🌸", "Ada ❤\ufe0f", "42", "M3",
		"human-1234", "Harbour Work & Co", "Task Marketing Ltd", "The Helping Hands", "Fast Ask Markets", "Supportive Sam", "Stafford", "Madmint", "Verity", "Officina Films", "Ada!", "N", "Ekaterina", "Ю. Админова",
		"Νίκος Παπαδόπουλος", "Μαρία Σταύρου", "Ξένια Λάμπρου", "Ελένη", "Όμηρος", "Στέλιος Μάρκου",
		"Дмитрий Гагарин", "Яна Иванова", "ИРИНА ЯКОВЛЕВА", "Полина Шевченко", "Захар Эйзенштейн", "Тарас Марков", "Ирина, администрация", "Модест", "Нұрсұлтан Қасымов", "Їжакевич Ґалина",
		"ꓡꓲ-ꓢꓴ", "ꓮ ꓡꓴ ꓗꓪꓶ", "ꓚꓵ ꓟꓲꓠ", "ᐊᓂᔑᓈᐯᒧᐎᓐ", "ᓀᐦᐃᔭᐍᐏᐣ", "ᑎᒪᑌᐅᓯ", "ᐃᓄᒃᑎᑐᑦ", "ᏎᏉᏯ", "ᏣᎳᎩ ᎠᏴᏫᏯᎢ", "ⲘⲀⲢⲒⲀ", "ⲡⲉⲧⲣⲟⲥ",
		"Kɔfi Mɛnsa", "Əli Əhmədov", "Ŋũgĩ", "Ɓala Ɗanladi", "Łukasz", "Straße & Co", "₿itcoin Bob", "Ada ® Films", "Ace & ∆elta",
		strings.Repeat("é", 80),
	} {
		if err := market.CheckName("name", good); err != nil {
			t.Errorf("CheckName(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", " ", "\u2800", "\u2800\u2800\u2800", "\u3164", "\u115f", "\u200b\u2060", "\u200d", "🙂", "!!!", "…", "— —", "❤\ufe0f\u200d🔥", "\U000e0041", "a\nb",
		"Task Market", "Task Market Support", "TaskMarket", "taskmarket-support", "TaskMarketTeam", "T4sk M4rket", "Tаsk Mаrket", "Ｔａｓｋ Ｍａｒｋｅｔ", "T a s k M a r k e t", "Task Market's Team", "Taskrnarket", "𝐓𝐚𝐬𝐤 𝐌𝐚𝐫𝐤𝐞𝐭", "🆃🅰🆂🅺 🅼🅰🆁🅺🅴🆃",
		"Admin", "ADMIN", "Admins", "Admin 7", "Аdmin", "аdmіn", "Αdmin", "Ａｄｍｉｎ", "Ádmïn", "4dm1n", "@dmin", "Adm!n", "A d m i n", "a.d.m.i.n", "Ad min", "ⒶⒹⓂⒾⓃ", "🇦🇩🇲🇮🇳", "AdminTeam", "Site administrator", "Ada, moderator",
		"Support", "Support Team", "$upport", "5upport", "Suppоrt", "Official Ada", "Staff", "Escrow", "Treasury", "Billing", "Moderator",
		"✅ Verified", "Verified", "Ada (verified)", "V3rified", "Vеrified agent", "✅ Ada", "Ada ✓", "Ada ✔\ufe0f", "☑ Ada", "Deleted-123", "me", "API", "Root", "Wallet",
		"ꓮꓓꓟꓲꓠ", "ꓢꓴꓑꓑꓳꓣꓔ", "ꓔask ꓟarket", "ⲁdmin", "ⲀⲆⲘⲒⲚ", "ᎪᎠᎷᏆN", "Λdmin", "TΛSK MΛRKET", "VΞRIFIED", "STΛFF", "admiπ", "ΣSCROW", "ДDMIN", "ADMIИ", "TASK MДЯKET", "Admiп", "ADMIП", "Task Mагket", "VЭRIFIED", "VЗЯIFIED", "suррoгт", "SЦPPORT",
		"ᗩᗪᗰIᑎ", "ᔕᑌᑭᑭOᖇT", "ᗴᔕᑕᖇOᗯ", "₳dmin", "T₳SK M₳RKET", "₮₳₴₭ ₥₳Ɽ₭Ɇ₮", "₴Ʉ₱₱ØⱤ₮", "§upport", "¢ompliance", "admiŋ", "ʂtaff", "ν℮rified", "supp⭕rt", "supp⭕\ufe0frt", "SUPP○RT", "ɐdmin", "ʌdmin", "🆎dmin", "Ⱥdmin", "ɱɵɗɛɽɐʈɵɾ", "∆dmin",
		"Админ", "АДМИН", "Aдмин", "Администратор Анна", "Модератор", "Таск Маркет", "ТАСКМАРКЕТ", "ТаскМаркет", "⍻ Ada", "Ada 🮱",
	} {
		err := market.CheckName("name", bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "name: ") {
			t.Errorf("CheckName(%+q) = %v, want an error of the field", bad, err)
		}
	}
	const want = `name: "support" looks like the service, its staff or a verification badge`
	if err := market.CheckName("name", "Harbour Suppоrt"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestCheckTitle(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Verify opening hours", "Admin assistant for a day", "Admin work: enter 40 invoices", "Staff needed for a festival", "Support our stand at the fair", "Customer support: answer the phone for a day", "Security camera: read the label",
		"Check the official opening hours", "Photograph the official seal on the door", "Verified translation of a letter", "Photo task: market hall", "Compare stalls at the Task Market in Graz", "Test the Task Market app on a phone",
		"✅ Checklist: photograph 5 doors", "Water the plants ✔", "Interview a moderator", "Message from a bottle: find it", "Help the team", "Escrow explained in 200 words", "日本語の翻訳", "Сфотографировать витрину",
		"Take a photo (staff only entrance)", "Account for the empty shops", "Update: measure the door again", "x", "😀", "???",
		"Customer support: answer questions in Spanish", "Translate a support page", "Support a runner at km 30", "Security guard for a shop for two hours", "Review the escrow contract of my house purchase", "Be an admin for our group for a day",
		"System check: count the fire extinguishers", "Update the notice on our door", "Message in a bottle", "Help: carry a sofa", "Team photo, two hours", "Measure a door. Support the frame", "2 doors: measure them", "1. Measure a door", "Нужен администратор на день",
	} {
		if err := market.CheckTitle(good); err != nil {
			t.Errorf("CheckTitle(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", " ", "\u2800", "\u2800\u2800", "\u3164", "a\nb",
		"Task Market Support: confirm your account", "Task Market", "TaskMarket: your account is locked", "Message from Task Market", "Message from the Task Market team: sign in again", "Please read - Task Market security", "T4skM4rket support", "Tаsk Mаrket Support", "Ｔａｓｋ Ｍａｒｋｅｔ notice",
		"Admin: confirm your seed", "[Admin] Confirm your account", "(Official) Sign in again", "OFFICIAL NOTICE: sign in again", "Official notice", "Moderator team – urgent", "Аdmin: confirm", "4dmin: confirm", "A d m i n: confirm", "From: Admin", "Support staff: confirm your wallet", "Verified account: apply here",
		"✅ Verified", "✅ Verified: photograph a door", "Photograph a door ✔ (verified)", "☑\ufe0f Official job",
		"Support", "Support Team", "Escrow", "Billing", "5upport", "ꓢꓴꓑꓑꓳꓣꓔ", "Support team: confirm your wallet", "Helpdesk: sign in again", "Security alert: confirm your wallet", "System message: your account is locked", "Moderation: appeal your ban",
		"1. Admin: confirm", "1) Admin: confirm", "Re: Admin: confirm", "Fwd: Support: confirm", "Admin, please read", "Админ: confirm", "Wallet verification team: confirm",
		"Task Market needs your password", "The Task Market is closing", "Task Market Payments: confirm", "Notification from Task Market: confirm", "Your account was suspended by Task Market", "Your Task Market account is locked", "Verify your Task Market wallet",
		"taskmarket.com: confirm", "www.taskmarket.com: confirm", "https://taskmarket.com", "support@taskmarket.com: confirm", "Таск Маркет: confirm", "⍻ Verified job",
	} {
		err := market.CheckTitle(bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "title: ") {
			t.Errorf("CheckTitle(%+q) = %v, want an error of the field", bad, err)
		}
	}
}
