// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITokenCustody} from "../../../src/interfaces/ITokenCustody.sol";
import {Cast} from "./Cast.sol";
import {FickleToken} from "./FickleToken.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev The model's balances. Nothing here is read from the contracts. The contracts must emit
/// every event that the model emits.
abstract contract MoneyModel is Cast {
    enum Permit {
        Good,
        UsedByAnother,
        Expired,
        Forged,
        None
    }

    bytes internal constant ALLOWED = "";

    mapping(address account => uint256) internal purse;
    mapping(address account => mapping(address custody => uint256)) internal allowance;
    mapping(address custody => mapping(address account => uint256)) internal credit;
    /// @dev Total of the live tasks or stakes in each contract.
    mapping(address custody => uint256) internal live;
    mapping(address custody => uint256) internal credits;
    mapping(address custody => uint256) internal donated;

    uint256 internal fees;
    uint256 internal forfeits;
    uint256 internal treasuryDonations;
    uint256 internal treasuryWithdrawn;

    FickleToken.Fault internal fault;
    mapping(address payee => bool) internal refused;

    /// @dev How the current action changed each account's balance + credits + live positions.
    mapping(address account => int256) internal change;
    address[] internal touched;
    /// @dev The account that may lose tokens in the current action although another account made
    /// the call.
    address internal ruledAgainst;

    function _gain(address account, uint256 amount) internal {
        if (change[account] == 0) touched.push(account);
        change[account] += int256(amount);
    }

    function _lose(address account, uint256 amount) internal {
        if (change[account] == 0) touched.push(account);
        change[account] -= int256(amount);
    }

    function _move(address from, address to, uint256 amount) internal {
        purse[from] -= amount;
        purse[to] += amount;
        _lose(from, amount);
        _gain(to, amount);
        emit IERC20.Transfer(from, to, amount);
    }

    /// @dev Returns the allowance after the call has tried to use the permit.
    function _allowanceAfter(address account, address custody, uint256 amount, Permit permit)
        internal
        view
        returns (uint256)
    {
        bool valid = permit == Permit.Good && _canPermit(account);
        bool taken = valid && fault != FickleToken.Fault.PhantomPermit;
        return taken ? amount : allowance[account][custody];
    }

    /// @dev Returns the error with which the token, or the check of the received amount, would
    /// reject the charge.
    function _chargeRefusal(address payer, address custody, uint256 amount, uint256 allowed)
        internal
        view
        returns (bytes memory)
    {
        if (fault == FickleToken.Fault.ReturnsFalse) return _transferFailed();
        if (allowed < amount) {
            return abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, custody, allowed, amount
            );
        }
        if (purse[payer] < amount) {
            return abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector, payer, purse[payer], amount
            );
        }
        uint256 received = amount;
        if (fault == FickleToken.Fault.TakesFee) received -= amount / 100;
        if (fault == FickleToken.Fault.GivesMore) received += 1;
        if (received == amount) return ALLOWED;
        return abi.encodeWithSelector(ITokenCustody.TransferMismatch.selector, amount, received);
    }

    /// @dev Charges `amount` to the payer and records it as the payer's position.
    function _charge(address payer, address custody, uint256 amount, uint256 allowed) internal {
        bool endless = allowed == type(uint256).max;
        allowance[payer][custody] = endless ? allowed : allowed - amount;
        live[custody] += amount;
        _gain(payer, amount);
        _move(payer, custody, amount);
    }

    /// @dev Closes a position. A payment follows.
    function _free(address holder, address custody, uint256 amount) internal {
        live[custody] -= amount;
        _lose(holder, amount);
    }

    function _pay(address custody, address payee, uint256 amount) internal {
        if (amount == 0) return;
        if (!_refuses(payee)) return _arrive(custody, payee, amount);
        credit[custody][payee] += amount;
        credits[custody] += amount;
        _gain(payee, amount);
        emit ITokenCustody.Credited(payee, amount);
    }

    function _withdrawnCredit(address custody, address account) internal returns (bytes memory) {
        uint256 amount = credit[custody][account];
        if (amount == 0) {
            return abi.encodeWithSelector(ITokenCustody.NothingToWithdraw.selector, account);
        }
        if (_refuses(account)) return _payRefusal(account);
        credit[custody][account] = 0;
        credits[custody] -= amount;
        _lose(account, amount);
        emit ITokenCustody.CreditWithdrawn(account, amount);
        _arrive(custody, account, amount);
        return ALLOWED;
    }

    function _refuses(address payee) internal view returns (bool) {
        return refused[payee] || fault == FickleToken.Fault.ReturnsFalse;
    }

    function _payRefusal(address payee) internal view returns (bytes memory) {
        if (!refused[payee]) return _transferFailed();
        return abi.encodeWithSelector(FickleToken.Refused.selector, payee);
    }

    /// @dev Hook that runs when `payee` receives tokens, so that the reentering account can make
    /// its call.
    function _received(address custody, address payee) internal virtual;

    function _arrive(address custody, address payee, uint256 amount) internal {
        _move(custody, payee, amount);
        _received(custody, payee);
    }

    function _transferFailed() private view returns (bytes memory) {
        return abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token);
    }
}
