// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {Signature, signPermit} from "../../utils/Permits.sol";
import {vm} from "../../utils/Vm.sol";
import {Campaign} from "../Campaign.sol";
import {FickleToken} from "../model/FickleToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Allowances, permits, donations, credits, and the token's block list.
abstract contract MoneyActions is Campaign {
    struct SignedPermit {
        Permit kind;
        uint256 deadline;
        Signature signature;
    }

    function approveToken(uint256 seed) external acts(seed) {
        uint256 amount = _once(2) ? type(uint256).max : _draw(200 ether);
        _approve(_party(), _once(2) ? address(escrow) : address(staking), amount);
    }

    function donate(uint256 seed) external acts(seed) {
        uint256 kind = _draw(3);
        address to = kind == 0 ? address(escrow) : kind == 1 ? address(staking) : address(treasury);
        uint256 amount = _draw(1 ether);
        bool moves = !_refuses(to);
        bytes memory refusal = refused[to] ? _payRefusal(to) : ALLOWED;
        if (moves) {
            if (to == address(treasury)) treasuryDonations += amount;
            else donated[to] += amount;
            _move(donor, to, amount);
        }
        _do(donor, address(token), abi.encodeCall(IERC20.transfer, (to, amount)), refusal);
    }

    /// @dev Withdraws a credit, usually one that can be paid now.
    function withdrawCredit(uint256 seed) external acts(seed) {
        address custody = _once(2) ? address(escrow) : address(staking);
        address account = _creditor(custody);
        if (account == address(0)) {
            custody = custody == address(escrow) ? address(staking) : address(escrow);
            account = _creditor(custody);
        }
        if (account == address(0) && !_once(6)) return _makeCreditor();
        if (account == address(0)) account = _anyAccount();
        if (refused[account] && !_once(4)) _refuse(account, false);
        bytes memory refusal = _withdrawnCredit(custody, account);
        _do(_anyAccount(), custody, abi.encodeCall(escrow.withdrawCredit, (account)), refusal);
    }

    function refuse(uint256 seed) external acts(seed) {
        address payee = _once(6) ? address(treasury) : _party();
        _refuse(payee, !refused[payee]);
    }

    function _refuse(address payee, bool refuses) internal {
        refused[payee] = refuses;
        bytes memory call = abi.encodeCall(FickleToken.refuse, (payee, refuses));
        _do(stranger, address(token), call, ALLOWED);
    }

    function _misbehave(FickleToken.Fault fault_) internal {
        fault = fault_;
        bytes memory call = abi.encodeCall(FickleToken.misbehave, (fault_));
        _do(stranger, address(token), call, ALLOWED);
    }

    function _approve(address account, address custody, uint256 amount) internal {
        allowance[account][custody] = amount;
        _do(account, address(token), abi.encodeCall(IERC20.approve, (custody, amount)), ALLOWED);
    }

    /// @dev Usually sets the allowance that a call without a permit needs.
    function _mostlyAllow(address account, address custody, uint256 amount) internal {
        if (allowance[account][custody] >= amount || _once(10)) return;
        _approve(account, custody, type(uint256).max);
    }

    /// @dev Returns a permit that is valid, expired, forged or already used by a stranger. If it is
    /// invalid, usually sets an allowance as well.
    function _permit(address account, address custody, uint256 amount)
        internal
        returns (SignedPermit memory signed)
    {
        signed.kind = _once(2) ? Permit.Good : Permit(1 + _draw(3));
        bool expired = signed.kind == Permit.Expired;
        signed.deadline = expired ? block.timestamp - 1 : block.timestamp + 1 hours;
        uint256 key = keyOf[account] == 0 ? 1 : keyOf[account];
        signed.signature = signPermit(token, key, custody, amount, signed.deadline);
        if (signed.kind == Permit.Forged) signed.signature.v = signed.signature.v == 27 ? 28 : 27;
        if (signed.kind == Permit.UsedByAnother && _canPermit(account)) {
            _usePermit(account, custody, amount, signed);
        }
        if (signed.kind != Permit.Good) _mostlyAllow(account, custody, amount);
    }

    function _party() internal returns (address) {
        return _once(3) ? agents[_draw(agents.length)] : humans[_draw(humans.length)];
    }

    function _usePermit(
        address account,
        address custody,
        uint256 amount,
        SignedPermit memory signed
    ) private {
        Signature memory signature = signed.signature;
        vm.prank(stranger);
        IERC20Permit(token)
            .permit(
                account, custody, amount, signed.deadline, signature.v, signature.r, signature.s
            );
        if (fault != FickleToken.Fault.PhantomPermit) allowance[account][custody] = amount;
    }

    function _creditor(address custody) private returns (address account) {
        uint256 start = _draw(allAccounts.length);
        for (uint256 i = 0; i < allAccounts.length; ++i) {
            account = allAccounts[(start + i) % allAccounts.length];
            if (credit[custody][account] != 0) return account;
        }
        return address(0);
    }

    /// @dev Cancels a posted task while the token rejects transfers to its agent, so that the agent
    /// receives a credit.
    function _makeCreditor() private {
        for (uint256 id = 1; id < tasks.length; ++id) {
            if (!_isPosted(id)) continue;
            address agent = _task(id).agent;
            if (!refused[agent]) _refuse(agent, true);
            bytes memory refusal = _cancelled(agent, id);
            _do(agent, address(escrow), abi.encodeCall(IEscrow.cancelTask, (id)), refusal);
            return;
        }
    }
}
